// One document, over 100 lines: it is read whole by those who use it, and by tools.
#include "wire/http/api/openapi.h"

namespace tacit::wire::http {

// clang-format off
std::string_view OpenApiDocument() {
  static constexpr char kDocument[] = R"json({
 "openapi": "3.1.0",
 "info": {
  "title": "Tacit",
  "version": "1",
  "summary": "Ask a database about people, by SQL, and get noisy answers for a privacy budget.",
  "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
 "security": [{"analyst": []}],
 "paths": {
  "/v1/query": {
   "post": {
    "operationId": "query",
    "summary": "Ask, pay and get a noisy answer. The same question again is free.",
    "parameters": [
     {
      "name": "Idempotency-Key",
      "in": "header",
      "required": false,
      "schema": {"type": "string", "minLength": 1, "maxLength": 200},
      "description": "The same key and question replay the answer; charged at most once."}],
    "requestBody": {
     "required": true,
     "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}}},
    "responses": {
     "200": {
      "description": "The answer, with its price and its error.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}},
     "400": {"$ref": "#/components/responses/BadRequest"},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "403": {"$ref": "#/components/responses/BudgetExhausted"},
     "415": {"$ref": "#/components/responses/NotJson"},
     "422": {"$ref": "#/components/responses/NotAccepted"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/v1/workload": {
   "post": {
    "operationId": "workload",
    "summary": "Buys many questions at once, all or nothing; each of them is free afterwards.",
    "description": "sql holds SELECTs with ; between them, and SET tacit.error before them.",
    "parameters": [
     {
      "name": "Idempotency-Key",
      "in": "header",
      "required": false,
      "schema": {"type": "string", "minLength": 1, "maxLength": 200},
      "description": "The same key and question replay the answer; charged at most once."}],
    "requestBody": {
     "required": true,
     "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}}},
    "responses": {
     "200": {
      "description": "A row for each question: the price at which it is free, and its errors.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}},
     "400": {"$ref": "#/components/responses/BadRequest"},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "403": {"$ref": "#/components/responses/BudgetExhausted"},
     "415": {"$ref": "#/components/responses/NotJson"},
     "422": {"$ref": "#/components/responses/NotAccepted"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/v1/explain": {
   "post": {
    "operationId": "explain",
    "summary": "What a query would cost, how far it would be off, and how it is run. Free.",
    "requestBody": {
     "required": true,
     "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}}},
    "responses": {
     "200": {
      "description": "The plan.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Explanation"}}}},
     "400": {"$ref": "#/components/responses/BadRequest"},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "403": {"$ref": "#/components/responses/BudgetExhausted"},
     "415": {"$ref": "#/components/responses/NotJson"},
     "422": {"$ref": "#/components/responses/NotAccepted"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/v1/budget": {
   "get": {
    "operationId": "budget",
    "summary": "What the analyst has left and has spent. Nothing of the dataset's account.",
    "responses": {
     "200": {
      "description": "The account.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Budget"}}}},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/v1/tables": {
   "get": {
    "operationId": "tables",
    "summary": "The tables and columns there are, as the policy shows them.",
    "responses": {
     "200": {
      "description": "The tables.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tables"}}}},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/v1/ledger": {
   "get": {
    "operationId": "ledger",
    "summary": "The analyst's own charges, numbered from 1.",
    "responses": {
     "200": {
      "description": "The charges, oldest first.",
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ledger"}}}},
     "401": {"$ref": "#/components/responses/Unauthenticated"},
     "503": {"$ref": "#/components/responses/Unavailable"}}}},
  "/healthz": {
   "get": {
    "operationId": "healthz",
    "summary": "Whether the server answers.",
    "security": [],
    "responses": {"200": {"description": "It does."}}}},
  "/openapi.json": {
   "get": {
    "operationId": "openapi",
    "summary": "This document.",
    "security": [],
    "responses": {"200": {"description": "This document."}}}}},
 "components": {
  "securitySchemes": {
   "analyst": {
    "type": "http",
    "scheme": "basic",
    "description": "The analyst's name and password, over TLS."}},
  "responses": {
   "BadRequest": {
    "description": "Wrong JSON, a wrong number, or an Idempotency-Key of another question.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
   "Unauthenticated": {
    "description": "The analyst's name or password is missing or wrong.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
   "NotJson": {
    "description": "The question was not sent as application/json. Nothing was charged.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
   "BudgetExhausted": {
    "description": "The analyst's budget, or the dataset's, does not cover it, or a page of another site asked: nothing was charged.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
   "NotAccepted": {
    "description": "Refused by a privacy rule, not supported, or wrong SQL. Nothing was charged.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
   "Unavailable": {
    "description": "Engine or ledger is not available. What was charged stays charged.",
    "content": {
     "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}},
  "schemas": {
   "Question": {
    "type": "object",
    "required": ["sql"],
    "additionalProperties": false,
    "properties": {
     "sql": {"type": "string", "description": "One SELECT, in PostgreSQL's SQL."},
     "epsilon": {
      "oneOf": [{"type": "number"}, {"type": "string"}],
      "description": "The price; the policy's unless named."},
     "delta": {
      "oneOf": [{"type": "number"}, {"type": "string"}],
      "description": "What private group keys may cost."},
     "error": {
      "oneOf": [{"type": "number"}, {"type": "string"}],
      "description": "Instead of epsilon: the smallest price whose answer is within this in 95 % of answers: 40, '5 %' of what is shown, or by columns 'n = 40, share = 2 %'."},
     "intervals": {"type": "boolean", "description": "Adds <column>_low and <column>_high."},
     "nonnegative": {
      "type": "boolean",
      "description": "Counts, and sums of what is never below zero, are shown as 0 where noise took them below."}},
    "example": {"sql": "SELECT count(*) AS n FROM patients", "epsilon": 0.1}},
   "Answer": {
    "type": "object",
    "required": ["columns", "rows", "privacy", "error", "notices"],
    "properties": {
     "columns": {
      "type": "array",
      "items": {
       "type": "object",
       "properties": {"name": {"type": "string"}, "type": {"type": "string"}}}},
     "rows": {"type": "array", "items": {"type": "array"}},
     "privacy": {
      "type": "object",
      "properties": {
       "epsilon": {"type": "number"},
       "delta": {"type": "number"},
       "cached": {"type": "boolean"},
       "remaining": {
        "type": "object",
        "properties": {
         "epsilon": {"type": "number"},
         "delta": {"type": "number"},
         "rho": {"type": "number"}}},
       "receipt": {"type": "string"}}},
     "error": {
      "type": "array",
      "items": {
       "type": "object",
       "properties": {
        "column": {"type": "string"},
        "mechanism": {"type": "string"},
        "scale": {"type": "number"},
        "moe95": {"type": ["number", "null"]},
        "moe95_rows": {"type": "array", "items": {"type": ["number", "null"]}}}}},
     "notices": {"type": "array", "items": {"type": "string"}}}},
   "Explanation": {
    "type": "object",
    "required": ["releases", "cost", "post"],
    "properties": {
     "releases": {"type": "array", "items": {"type": "object"}},
     "cost": {
      "type": "object",
      "properties": {
       "epsilon": {"type": "number"},
       "delta": {"type": "number"},
       "rho": {"type": "number"}}},
     "post": {"type": "string"}}},
   "Budget": {"type": "object"},
   "Tables": {"type": "object"},
   "Ledger": {"type": "object"},
   "Problem": {
    "type": "object",
    "required": ["title", "status", "detail"],
    "properties": {
     "type": {"type": "string"},
     "title": {"type": "string"},
     "status": {"type": "integer"},
     "detail": {"type": "string"},
     "hint": {"type": "string", "description": "What would pass."},
     "position": {"type": "integer", "description": "The byte in the query that it is about."},
     "rule": {"type": "string", "description": "The privacy rule that refused."}}}}}}
)json";
  return {kDocument, sizeof kDocument - 1};
}
// clang-format on

}  // namespace tacit::wire::http

#include "wire/pg/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/inspect.h"
#include "wire/pg/session/extended.h"
#include "wire/pg/session/simple.h"
#include "wire/testing/served_people.h"

namespace tacit::wire::pg {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kBySex[] = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex";

struct Said {
  char type = 0;
  std::string body;
};

template <class T>
asio::awaitable<void> PutInto(std::optional<Result<T>>& done, Later<T> work) {
  Result<T> result = co_await std::move(work);
  done.emplace(std::move(result));
}

// A message as it comes from a client, by what writes its body.
Frame FrameOf(char type, const std::function<void(MessageScope&)>& write) {
  std::string bytes;
  {
    MessageScope message(bytes, type);
    write(message);
  }
  return {.type = type, .body = bytes.substr(kFrameHeadBytes)};
}

Frame ParseFrame(const std::string& name, const std::string& text) {
  return FrameOf('P', [&](MessageScope& message) {
    message.Text(name);
    message.Text(text);
    message.Int16(0);
  });
}

// With one parameter, as text, and results as text.
Frame BindFrame(const std::string& portal, const std::string& name, const std::string& value) {
  return FrameOf('B', [&](MessageScope& message) {
    message.Text(portal);
    message.Text(name);
    message.Int16(0);
    message.Int16(value.empty() ? 0 : 1);
    if (!value.empty()) {
      message.Int32(static_cast<int32_t>(value.size()));
      message.Bytes(value);
    }
    message.Int16(0);
  });
}

Frame DescribeFrame(char kind, const std::string& name) {
  return FrameOf('D', [&](MessageScope& message) {
    message.Byte(kind);
    message.Text(name);
  });
}

Frame ExecuteFrame(const std::string& portal, int32_t rows_max) {
  return FrameOf('E', [&](MessageScope& message) {
    message.Text(portal);
    message.Int32(rows_max);
  });
}

// Ana, logged in to a deployment of 200 people; what is said to her stays in the session's buffer.
class SessionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { served_ = new wire::testing::ServedPeople(0); }
  static void TearDownTestSuite() { delete served_; }

  SessionTest() {
    const asio::ip::tcp::endpoint anywhere(asio::ip::address_v4::loopback(), 0);
    asio::ip::tcp::acceptor acceptor(context_, anywhere);
    client_.connect(acceptor.local_endpoint());
    connection_ = std::make_unique<Connection>(acceptor.accept(), state_);
    session_ =
        std::make_unique<Session>(*connection_, LoggedIn{.seat = Seat::Take(state_, "ana").value(),
                                                         .analyst = "ana",
                                                         .database = "clinic",
                                                         .settings = Settings("ana")});
  }

  template <class T>
  Result<T> Wait(Later<T> work) {
    std::optional<Result<T>> done;
    asio::co_spawn(context_, PutInto(done, std::move(work)), [](const std::exception_ptr& thrown) {
      if (thrown) std::rethrow_exception(thrown);
    });
    context_.restart();
    context_.run();
    return std::move(done).value();
  }

  // The rule of the error, or what was said, a letter a message; notices are left out.
  std::string Query(const std::string& text) { return SaidAfter(RunQueryMessage(*session_, text)); }
  std::string Send(const Frame& frame) { return SaidAfter(RunExtendedMessage(*session_, frame)); }

  // The first column of the rows that were said, and the last tag.
  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const Said& one : said_) {
      if (one.type != 'D') continue;
      FieldReader reader(one.body);
      (void)reader.Int16();
      const int32_t bytes = reader.Int32();
      keys.emplace_back(bytes < 0 ? "NULL" : reader.Bytes(static_cast<size_t>(bytes)));
    }
    return keys;
  }
  std::string Tag() const { return said_.empty() ? "" : said_.back().body.c_str(); }

  static int64_t Charges() {
    const auto accounts = ledger::ReadAccounts(served_->deployment().ledger_place()).value();
    return accounts.empty() ? 0 : accounts.front().charges;
  }

  static inline wire::testing::ServedPeople* served_ = nullptr;

  asio::io_context context_;
  asio::ip::tcp::socket client_{context_};
  std::shared_ptr<ServerState> state_{new ServerState{.deployment = served_->deployment(),
                                                      .tls = nullptr,
                                                      .limits = {},
                                                      .logged_in_max = 2,
                                                      .logged_in_of_analyst_max = 1,
                                                      .strangers = Strangers(Strangers::Limits{})}};
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Session> session_;
  std::vector<Said> said_;

 private:
  std::string SaidAfter(Later<Done> work) {
    said_.clear();
    const Result<Done> done = Wait(std::move(work));
    std::string bytes = std::move(session_->out()), types;
    session_->out().clear();
    for (std::string_view rest = bytes; !rest.empty();) {
      FieldReader reader(rest);
      const char type = static_cast<char>(reader.Byte());
      const auto size = static_cast<size_t>(reader.Int32()) - 4;
      said_.push_back({type, std::string(reader.Bytes(size))});
      if (type != 'N') types += type;
      rest = reader.rest();
    }
    return done.ok() ? types : done.error().rule;
  }
};

TEST_F(SessionTest, AnswersTheStatementsOfAMessageInOrder) {
  EXPECT_EQ(Query("SELECT 1; SELECT 2"), "TDCTDC");
  EXPECT_THAT(Keys(), ElementsAre("1", "2"));
  EXPECT_EQ(Tag(), "SELECT 1");
  EXPECT_EQ(Query(""), "I");
  EXPECT_EQ(Query("SET tacit.epsilon = 0.2"), "C");
  EXPECT_EQ(Tag(), "SET");
}

TEST_F(SessionTest, NothingOfAMessageIsChargedWhenALaterPartIsRefused) {
  const int64_t before = Charges();
  EXPECT_EQ(Query("SELECT count(*) FROM people WHERE age > 41; SELECT age FROM people"),
            "rows_out");
  EXPECT_THAT(said_, SizeIs(0));
  EXPECT_EQ(Charges(), before);
  EXPECT_GE(session_->sent.offset, 43) << "the error points into the second";
  EXPECT_EQ(Query("SELECT count(*) FROM people WHERE age > 41"), "TDC");
  EXPECT_EQ(Charges(), before + 1);
}

TEST_F(SessionTest, ParsingJudgesAndOnlyExecutingCharges) {
  const int64_t before = Charges();
  EXPECT_EQ(Send(ParseFrame("s", "SELECT age FROM people")), "rows_out");
  EXPECT_EQ(Send(ParseFrame("s", "SELECT count(*) FROM people WHERE age > $1")), "1");
  EXPECT_EQ(Send(DescribeFrame('S', "s")), "tT");
  EXPECT_EQ(Send(BindFrame("p", "s", "42")), "2");
  EXPECT_EQ(Charges(), before);
  EXPECT_EQ(Send(ExecuteFrame("p", 0)), "DC");
  EXPECT_EQ(Charges(), before + 1);
  EXPECT_EQ(Send(ExecuteFrame("nothing", 0)), "cursor_not_found");
  EXPECT_EQ(Send(BindFrame("p", "nothing", "")), "invalid_sql_statement_name");
}

TEST_F(SessionTest, APortalGivesItsRowsInPieces) {
  EXPECT_EQ(Send(ParseFrame("s", kBySex)), "1");
  EXPECT_EQ(Send(BindFrame("p", "s", "")), "2");
  EXPECT_EQ(Send(ExecuteFrame("p", 1)), "Ds");
  EXPECT_THAT(Keys(), ElementsAre("F"));
  EXPECT_EQ(Send(ExecuteFrame("p", 1)), "Ds");
  EXPECT_THAT(Keys(), ElementsAre("M"));
  EXPECT_EQ(Send(ExecuteFrame("p", 1)), "C") << "there are no more";
  EXPECT_EQ(Tag(), "SELECT 0");
}

TEST_F(SessionTest, ACursorAsksOnceAndLivesAsLongAsItsTransaction) {
  EXPECT_EQ(Query(std::string("DECLARE c CURSOR FOR ") + kBySex), "no_active_sql_transaction");
  EXPECT_EQ(Query("BEGIN"), "C");
  EXPECT_EQ(Query(std::string("DECLARE c CURSOR FOR ") + kBySex), "C");
  EXPECT_EQ(Query("FETCH 1 FROM c"), "TDC");
  EXPECT_THAT(Keys(), ElementsAre("F"));
  const int64_t charged = Charges();
  EXPECT_EQ(Query("FETCH ALL FROM c"), "TDC");
  EXPECT_THAT(Keys(), ElementsAre("M"));
  EXPECT_EQ(Charges(), charged);
  EXPECT_EQ(Query("COMMIT"), "C");
  EXPECT_EQ(Query("FETCH 1 FROM c"), "cursor_not_found");
}

TEST_F(SessionTest, AfterAnErrorABlockTakesNothingButItsEnd) {
  EXPECT_EQ(Query("BEGIN"), "C");
  EXPECT_EQ(Query("SELECT age FROM people"), "rows_out");
  EXPECT_EQ(Query("SELECT 1"), "in_failed_sql_transaction");
  EXPECT_EQ(Query("ROLLBACK"), "C");
  EXPECT_EQ(Query("SELECT 1"), "TDC");
}

TEST_F(SessionTest, IsCancelledByItsKeyAndByNoOther) {
  state_->registry.Cancel(session_->key.process, session_->key.secret + 1);
  EXPECT_FALSE(session_->waiting.cancelled);
  state_->registry.Cancel(session_->key.process, session_->key.secret);
  EXPECT_TRUE(session_->waiting.cancelled);
  EXPECT_EQ(Query("SELECT 1"), "TDC") << "what is asked later is not cancelled by it";
}

TEST_F(SessionTest, TakesOneOfItsAnalystsSeatsWhileItLives) {
  EXPECT_FALSE(Seat::Take(state_, "ana").has_value());
  session_.reset();
  EXPECT_TRUE(Seat::Take(state_, "ana").has_value());
}

}  // namespace
}  // namespace tacit::wire::pg

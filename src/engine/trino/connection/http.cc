#include "engine/trino/connection/http.h"

#include "engine/trino/connection/libcurl.h"

namespace tacit::engine::trino {
namespace {

// Why 64 MiB: Trino's pages have 16 at most, unless a single row is larger.
constexpr size_t kBodyBytesMax = size_t{64} << 20;

size_t Receive(char* bytes, size_t one, size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  const size_t size = one * count;
  if (body.size() + size > kBodyBytesMax) return 0;
  body.append(bytes, size);
  return size;
}

class HeaderList {
 public:
  ~HeaderList() {
    if (list_ != nullptr) curl_slist_free_all(list_);
  }
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  bool Add(const std::string& line) {
    curl_slist* longer = curl_slist_append(list_, line.c_str());
    if (longer != nullptr) list_ = longer;
    return longer != nullptr;
  }
  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

bool NeverSent(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
         code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION ||
         code == CURLE_SSL_CACERT_BADFILE || code == CURLE_UNSUPPORTED_PROTOCOL ||
         code == CURLE_URL_MALFORMAT;
}

}  // namespace

const LateLibrary& Libcurl() {
  static const auto* const library = new LateLibrary("libcurl.so.4");
  return *library;
}

void HttpClient::Closer::operator()(void* handle) const { curl_easy_cleanup(handle); }

Result<HttpClient> HttpClient::Make(HttpIdentity identity,
                                    std::chrono::milliseconds connect_limit) {
  TACIT_CHECK(Libcurl().Loaded());
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  void* const handle = kReady == CURLE_OK ? curl_easy_init() : nullptr;
  if (handle == nullptr) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the library libcurl cannot be used",
                 .hint = "try again",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  return HttpClient(handle, std::move(identity), connect_limit);
}

HttpReply HttpClient::Ask(Method method, const std::string& url,
                          const std::vector<std::string>& headers, const std::string& body,
                          std::chrono::milliseconds limit) {
  HttpReply reply;
  void* const curl = handle_.get();
  curl_easy_reset(curl);
  HeaderList list;
  bool has_all = list.Add("Expect:");  // a server that waits for it would cost a second
  for (const std::string& header : headers) has_all = has_all && list.Add(header);
  const auto set = [&](CURLoption option, auto value) {
    has_all = curl_easy_setopt(curl, option, value) == CURLE_OK && has_all;
  };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_USERAGENT, "tacit");
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_limit_.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<int64_t>(limit.count(), 1)));
  set(CURLOPT_WRITEFUNCTION, &Receive);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&reply.body));
  set(CURLOPT_HTTPHEADER, list.get());
  if (!identity_.authorities.empty()) set(CURLOPT_CAINFO, identity_.authorities.c_str());
  if (!identity_.password.empty()) {
    set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    set(CURLOPT_USERNAME, identity_.user.c_str());
    set(CURLOPT_PASSWORD, identity_.password.c_str());
  }
  if (method == Method::kPost) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(CURLOPT_POSTFIELDS, body.c_str());
  }
  if (method == Method::kDelete) set(CURLOPT_CUSTOMREQUEST, "DELETE");
  if (!has_all) {
    reply.failure = "libcurl took no option";
    reply.was_sent = false;
    return reply;
  }
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    reply.failure = curl_easy_strerror(code);
    reply.was_sent = !NeverSent(code);
    reply.body.clear();
    return reply;
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  return reply;
}

}  // namespace tacit::engine::trino

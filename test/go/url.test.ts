import { describe, expect, it } from "vitest";
import { parseGoUrl } from "../../runtime/go/url.ts";
import { checkWebhookUrl } from "../../runtime/values/webhook-url.ts";

describe("a URL that Go reads", () => {
  it.each<[url: string, parts: object]>([
    ["HTTPS://h:8443/p?q=1#f%41", { scheme: "https", host: "h:8443", path: "/p", query: "q=1", fragment: "fA" }],
    ["https://u:p@[::1]:443", { scheme: "https", host: "[::1]:443", user: "u:p", path: "", query: "", fragment: "" }],
    ["//h/p", { scheme: "", host: "h", path: "/p", query: "", fragment: "" }],
    ["mailto:x", { scheme: "mailto", host: "", path: "", query: "", fragment: "" }],
    ["https://h/a b", { scheme: "https", host: "h", path: "/a b", query: "", fragment: "" }],
    ["https:///p", { scheme: "https", host: "", path: "/p", query: "", fragment: "" }],
    ["", { scheme: "", host: "", path: "", query: "", fragment: "" }],
  ])("%s", (url, parts) => {
    expect(parseGoUrl(url)).toEqual(parts);
  });
});

describe("a URL that Go does not read", () => {
  it.each([
    ["https://x y", 'invalid character " " in host name'],
    ["https://h\\x", 'invalid character "\\\\" in host name'],
    ["https://%zz", 'invalid URL escape "%zz"'],
    ["https://h%41", 'invalid URL escape "%41"'],
    ["https://h/%4", 'invalid URL escape "%4"'],
    ["https://[::1", "missing ']' in host"],
    ["https://[a]b", 'invalid port "b" after host'],
    ["https://h:-1", 'invalid port ":-1" after host'],
    ["://x", "missing protocol scheme"],
    ["1https://x", "first path segment in URL cannot contain colon"],
    ["https://user name@h", "net/url: invalid userinfo"],
    ["https://h/\x7f", "net/url: invalid control character in URL"],
  ])("%s", (url, problem) => {
    expect(() => parseGoUrl(url)).toThrow(`: ${problem}`);
  });

  it("is shown without its fragment, unless that is what is wrong", () => {
    expect(() => parseGoUrl("https://x y#f")).toThrow('parse "https://x y": invalid');
    expect(() => parseGoUrl("https://x#%")).toThrow('parse "https://x#%": invalid URL escape "%"');
  });
});

describe("the address of a webhook", () => {
  it("is rejected with Go's message if it is not a URL", () => {
    const [error, ...others] = checkWebhookUrl("https://h:abc", "url");
    expect(others).toEqual([]);
    expect(error?.message).toBe(
      'Required value: url must be a valid URL: parse "https://h:abc": invalid port ":abc" after host; desired format: https://host[/path]',
    );
  });

  it("must have a host, and otherwise only a path", () => {
    const details = (url: string) =>
      checkWebhookUrl(url, "url").map(({ message }) => message.replace(/; desired.*/, ""));
    expect(details("https://h/p")).toEqual([]);
    expect(details("http:///p")).toEqual([
      "Invalid value: \"http\": 'https' is the only allowed URL scheme",
      'Invalid value: "": host must be specified',
    ]);
    expect(details("https://u@h?q#f")).toEqual([
      'Invalid value: "u": user information is not permitted in the URL',
      'Invalid value: "f": fragments are not permitted in the URL',
      'Invalid value: "q": query parameters are not permitted in the URL',
    ]);
  });
});

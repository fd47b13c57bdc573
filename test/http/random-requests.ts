import fc from "fast-check";
import { KINDS } from "./recording-app.ts";

/** Returns a text with some characters escaped. */
export const escaped = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) =>
      [...text]
        .map((char, index) =>
          flags[index] || !/[a-z0-9./_-]/i.test(char)
            ? [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
            : char,
        )
        .join(""),
    );

const NAMES = [
  "a",
  "b",
  "namespaces",
  "status",
  "finalize",
  "watch",
  "proxy",
  "constructor",
  "__proto__",
  "x y",
  "é",
  ".",
  "..",
];
export const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "FOO",
  "get",
  "constructor",
  "WATCH",
];
const SELECTORS = [
  "metadata.name=a",
  "metadata.name%3Db,metadata.namespace!%3Da",
  "metadata.name%3Da%5C,b",
  "metadata.name%3Da;b",
  "metadata.name%3D%zz",
  "metadata.name",
  "metadata.name%3D%ff",
  "",
  "a+in+(b,c)",
  "!!",
];
const TERMS = fc.oneof(
  fc
    .tuple(fc.constantFrom("fieldSelector", "labelSelector", "field%53elector"), fc.constantFrom(...SELECTORS))
    .map((pair) => pair.join("=")),
  fc.constantFrom(
    "watch",
    "watch=1",
    "watch=false",
    "watch=0",
    "watch=%zz",
    "limit=1",
    "resourceVersion=0",
    "pretty",
    "a;watch=1",
    "",
    "=",
    "%",
  ),
);
export const QUERY = fc
  .array(TERMS, { maxLength: 4 })
  .map((terms) => (terms.length === 0 ? "" : `?${terms.join("&")}`));

/** Returns paths that consist of words of resource paths, in any order. */
const WORDS = fc.oneof(
  fc.constantFrom(
    "api",
    "apis",
    "v1",
    "",
    "zoo.example.com",
    "apps",
    ...KINDS.map(([, resource]) => resource),
    ...NAMES,
  ),
  fc.constantFrom(
    "%2F",
    "%2e%2e",
    "%00",
    "%zz",
    "%ff",
    "%",
    "a#b",
    "pods%2Fa",
    "namespaces%2fa",
    "%25",
    "%c3%a9",
    "%c0%af",
    ";",
  ),
);
export const ANY_PATH = fc
  .tuple(
    fc.constantFrom(
      "/",
      "/api/v1/",
      "/apis/zoo.example.com/v1/",
      "/apis/apps/v1/",
      "http://x/",
      "//",
      "*",
      "/api/v1/watch/",
    ),
    fc.array(WORDS, { maxLength: 7 }),
  )
  .map(([head, words]) => head + words.join("/"));

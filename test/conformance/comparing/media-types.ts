import type { Parsed } from "../../fixtures/plane-client.ts";
import type { RequestMaker } from "./compared-request.ts";

const SENT = [
  ...[
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/json;",
    "application/yaml",
    "text/yaml",
  ],
  ...[
    "text/plain",
    "application/vnd.kubernetes.protobuf",
    "application/cbor",
    "application/x-www-form-urlencoded",
    "a",
    "/",
    "application/",
  ],
  ...[
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/json, text/html",
  ],
  ...[
    "application/apply-patch+yaml",
    "application/apply-patch+cbor",
    "application/merge-patch+json; charset=utf-8",
    "application/JSON-patch+json",
  ],
];
const ACCEPTED = [
  ...[
    "application/json",
    "text/html",
    "*/*",
    "application/yaml",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "text/*, application/*;q=0.1",
  ],
  ...[
    "application/vnd.kubernetes.protobuf",
    "application/cbor",
    "application/json;stream=watch",
    "application/json;charset=utf-8",
    "",
  ],
  ...[
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;q=x",
    "text/html, application/json",
    ";",
    "*",
  ],
];
const TEXTS = [
  "",
  "{}",
  "[]",
  "null",
  "x",
  "1",
  '"a"',
  "a: b",
  "--- \na: b",
  "{",
  '{"a":1}{"b":2}',
  "\u0000",
  "%YAML 1.2\n---\na: b",
  "- a",
];

/** Requests whose media types, bodies or both do not match the kind. */
export const mediaTypes: RequestMaker = (random, { stored }) => {
  const { path, mine } = random.pick(stored);
  const { apiVersion, kind, metadata } = mine;
  const small: Parsed = { apiVersion, kind, metadata: { name: metadata.name, labels: { a: "b" } } };
  const method = random.pick(["POST", "PUT", "PATCH", "GET"]);
  const [type, accept] = [random.pick(SENT), random.pick(ACCEPTED)];
  const headers = {
    Accept: accept,
    ...(random.chance(0.1) && { "Content-Encoding": random.pick(["gzip", "identity", "x"]) }),
  };
  const text = random.chance(0.5) ? JSON.stringify(small) : random.pick(TEXTS);
  const url = method === "POST" ? path : `${path}/${metadata.name}`;
  const query = random.pick([
    "",
    "&fieldManager=f",
    "&fieldManager=f&force=true",
    "&fieldValidation=Strict",
    "&fieldValidation=x",
    "&force=true",
    "&dryRun=x",
  ]);
  const what = `${type} ${accept} ${text.slice(0, 20)}`;
  if (method === "GET") return { method, path: url, headers, what };
  return { method, path: `${url}?dryRun=All${query}`, type, headers, bodies: [text, text], what };
};

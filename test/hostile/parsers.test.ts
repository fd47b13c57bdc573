import { describe, it } from "vitest";
import { scheduleProblem } from "../../api-definitions/batch/v1/cron-schedule.ts";
import { countIndexes, firstSharedIndex, indexesProblem } from "../../api-definitions/batch/v1/job-indexes.ts";
import { imageTag } from "../../api-definitions/core/v1/image-tag.ts";
import { INITIATOR_PATTERNS } from "../../api-definitions/core/v1/validation/storage-volumes.ts";
import { findOverlaps } from "../../api-definitions/core/v1/volume-overlaps.ts";
import { percentEscape } from "../../runtime/aggregation/percent-escape.ts";
import { parseElement } from "../../runtime/apply/fieldpath/path-element.ts";
import { createTokenFileAuthenticator } from "../../runtime/auth/authenticate/token-file.ts";
import { pathMatches } from "../../runtime/auth/authorize/rule-matching.ts";
import { indexOfString, lastIndexOfString, splitString } from "../../runtime/cel/libraries/search-string.ts";
import { parseGoBool } from "../../runtime/go/bool.ts";
import { parseDuration } from "../../runtime/go/duration.ts";
import { goFormatted } from "../../runtime/go/format.ts";
import { goQuote } from "../../runtime/go/quote.ts";
import { parseGoUrl } from "../../runtime/go/url.ts";
import { mediaTypeOf } from "../../runtime/http/negotiate/media-type.ts";
import { formatCheck as customFormat } from "../../runtime/kinds/custom/validation/formats.ts";
import { canonicalBase64, decodeRawBase64Url } from "../../runtime/lib/base64.ts";
import { didYouMean } from "../../runtime/lib/did-you-mean.ts";
import { percentDecode } from "../../runtime/lib/percent-decode.ts";
import { formatCheck as declaredFormat } from "../../runtime/schema/validate-format.ts";
import { parseFieldSelector } from "../../runtime/values/field-selector.ts";
import * as formats from "../../runtime/values/formats.ts";
import {
  checkCidr,
  checkEndpointIp,
  checkIp,
  checkLegacyCidr,
  checkLegacyIp,
  parseLenientCidr,
  parseLenientIp,
  warnOfCidr,
  warnOfIp,
} from "../../runtime/values/ip-checks.ts";
import { compilePath } from "../../runtime/values/json-path.ts";
import { jsonPathProblem } from "../../runtime/values/json-path-problem.ts";
import { parseLabelSelector } from "../../runtime/values/label-selector.ts";
import * as names from "../../runtime/values/names.ts";
import { addQuantities, canonicalQuantity, compareQuantities, parseQuantity } from "../../runtime/values/quantity.ts";
import { checkServicePath } from "../../runtime/values/service-path.ts";
import { parseTime } from "../../runtime/values/times.ts";
import { checkWebhookUrl } from "../../runtime/values/webhook-url.ts";
import { readBundle } from "../../runtime/x509/certificate-authorities.ts";
import { readCertificateRequest } from "../../runtime/x509/certificate-request.ts";
import { pemBlocks } from "../../runtime/x509/pem.ts";
import { expectLinear } from "./growth.ts";

/** A parser, and strings that it accepts. Each part of one of them, repeated, is an input to test. */
type Row = readonly [name: string, parse: (text: string) => unknown, ...seeds: string[]];

const FORMATS =
  "bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime";
const SEEDS_OF_FORMATS = [
  "1h 2 days",
  "a@b.c",
  "a.b",
  "10.0.0.1",
  "::1/8",
  "00:1f:aa",
  "rgb( 1 , 2 , 3 )",
  "2020-01-02t03:04:05.6z",
];

function sumOf(text: string): unknown {
  const quantity = parseQuantity(text);
  compareQuantities(quantity, parseQuantity("1"));
  return addQuantities(quantity, parseQuantity("1n"));
}

const PARSERS: readonly Row[] = [
  ["canonicalQuantity", canonicalQuantity, "1.5Gi", "100m", "12e6", "-0.1e-9", "+00.00n"],
  ["sums and order of quantities", sumOf, "1.5Gi", "100m", "12e6", "1e999999999", "1E-999999999"],
  ["parseDuration", parseDuration, "1h30m", "-1.5s", "0", "100µs"],
  ["parseTime", parseTime, "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.123456+01:00"],
  ["parseTime of micro times", (text) => parseTime(text, true), "2020-01-02T03:04:05.123456Z"],
  ["parseGoUrl", parseGoUrl, "https://user:pw@host:80/a/b?c=d&e#f", "http://[::1%25en0]:80/", "mailto:a"],
  ["parseGoBool", parseGoBool, "true"],
  ["percentDecode", percentDecode, "a%20b%ff"],
  ["percentEscape", (text) => percentEscape(text, /[a-z]/), "a b/ü"],
  ["goQuote", goQuote, 'a"b\\\u0000'],
  ["goFormatted", goFormatted, "%5.2f%%", "% 0d"],
  ["canonicalBase64", canonicalBase64, "YWI=", "YW\nI="],
  ["decodeRawBase64Url", decodeRawBase64Url, "YWI_"],
  ["parseLabelSelector", parseLabelSelector, "a=b,c!=d,e in (f,g),!h", "a,b notin (c)"],
  ["parseFieldSelector", (text) => parseFieldSelector(text), "a.b=c,d!=e", "a==b\\,c"],
  ["compilePath", compilePath, ".spec.a[?(@.b=='c')].d", "{.a['b.c'][0][*]}"],
  ["jsonPathProblem", jsonPathProblem, ".spec.a[?(@.b=='c')].d", "..a[1:2:3]", "[1, 2]", "-1.5"],
  ["mediaTypeOf", mediaTypeOf, 'application/json; a=b; c="d\\"e"'],
  ["pemBlocks", pemBlocks, "-----BEGIN A-----\nK: v\n\nYQ==\n-----END A-----\n", "\n-----BEGIN A:b-----\n"],
  ["readBundle", readBundle, "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n"],
  [
    "readCertificateRequest",
    readCertificateRequest,
    Buffer.from("-----BEGIN CERTIFICATE REQUEST-----\n").toString("base64"),
  ],
  ["scheduleProblem", scheduleProblem, "*/5 1-2,3 * JAN-DEC ?", "TZ=Europe/Berlin 0 0 * * *", "@every 1h"],
  ["countIndexes", (text) => countIndexes(text, 1_000_000), "1,3-5,7"],
  ["indexesProblem", (text) => indexesProblem(text, 1_000_000), "1,3-5,7"],
  ["firstSharedIndex", (text) => firstSharedIndex(text, text, 1_000_000), "1,3-5,7"],
  [
    "firstSharedIndex of lists that share none",
    (text) => firstSharedIndex(text.replaceAll("1", "2"), text, 10),
    "1,1,1",
  ],
  ["imageTag", imageTag, "registry.example.com:5000/a/b_c__d:tag@sha256:00", "[::1]:80/a"],
  [
    "names of iSCSI initiators",
    (text) => INITIATOR_PATTERNS.iqn?.test(text),
    "iqn.2020-01.com.example:a",
    "iqn iqn.2020-01.a",
  ],
  ["overlaps of paths", (text) => findOverlaps(text.split(",").map((path) => ({ path, source: () => "" }))), "a/b,a,c"],
  ["parseElement", parseElement, "f:a", 'k:{"a":"b","c":1}', "v:1", "i:0"],
  [
    "createTokenFileAuthenticator",
    (text) => createTokenFileAuthenticator(text, "f"),
    'token,user,uid,"a,b"\n',
    '"a""b",c,d',
  ],
  ["pathMatches", (text) => pathMatches([text, `${text}*`], text), "/healthz/*"],
  ["didYouMean", (text) => didYouMean(text, ["watch-cache", "audit-log-path"]), "watch-cash"],
  ["checkServicePath", (text) => checkServicePath(text, "f"), "/a/b/../c"],
  ["checkWebhookUrl", (text) => checkWebhookUrl(text, "f"), "https://a.b:80/c?d#e"],
  [
    "indexOfString",
    (text) => indexOfString(text, `${text.slice(0, text.length / 4)}b${text.slice(0, text.length / 4)}`),
  ],
  ["lastIndexOfString", (text) => lastIndexOfString(text, `${text.slice(0, text.length / 2)}b`)],
  ["splitString", (text) => splitString(text, text.slice(0, 40))],
  ...[parseLenientIp, parseLenientCidr, checkIp, checkCidr, checkEndpointIp].map(
    (check): Row => [check.name, check, "010.001.0.1/24", "::ffff:1.2.3.4/64", "fe80::1%en0"],
  ),
  ...[checkLegacyIp, checkLegacyCidr].map(
    (check): Row => [
      check.name,
      (text) => check(text, { featureEnabled: () => true }),
      "010.001.0.1/24",
      "::ffff:1.2.3.4/64",
    ],
  ),
  ...[warnOfIp, warnOfCidr].map(
    (warn): Row => [warn.name, (text) => warn("f", text), "010.001.0.1/24", "::ffff:1.2.3.4/64"],
  ),
  ...Object.entries({ ...names, ...formats })
    .filter(([name, check]) => /^check/.test(name) && check.length === 1 && !/Range|Number/.test(name))
    .map(
      ([name, check]): Row => [name, check as (text: string) => unknown, "a.b-c", "example.com/name_1", "*.a", "50%"],
    ),
  ...FORMATS.split(" ").flatMap((format): Row[] => [
    [`format ${format} of custom resources`, customFormat(format) ?? (() => true), ...SEEDS_OF_FORMATS],
    [`format ${format} of declared fields`, declaredFormat(format) ?? (() => true), ...SEEDS_OF_FORMATS],
  ]),
];

/** Without `HOSTILE_FIELDS=all`, a repeated part is tested only if the input continues after it, where parsers backtrack. */
const ALL = process.env.HOSTILE_FIELDS === "all";

const SHAPES = [
  "0",
  "1",
  "a",
  "-",
  ".",
  "/",
  ":",
  " ",
  "%",
  ",",
  "(",
  "[",
  "{",
  '"',
  "'",
  "\\",
  "=",
  "!",
  "*",
  "é",
  "😀",
  "\n",
  "\0",
  "a.",
  "1.",
  "a,",
  "%4",
  "../",
];

/** Inputs of a size: one part repeated, between the text before and after it in a valid string. */
function* inputsFor(seeds: readonly string[]): Generator<(size: number) => string> {
  for (const shape of SHAPES) {
    if (ALL) yield (size) => shape.repeat(size / shape.length);
    yield (size) => `${shape.repeat(size / shape.length)}!`;
  }
  for (const seed of seeds) {
    for (let at = 0; at < seed.length; at += Math.ceil(seed.length / 6)) {
      for (const length of [1, Math.ceil(seed.length / 3)]) {
        const part = seed.slice(at, at + length);
        yield (size) => `${seed.slice(0, at)}${part.repeat(size / part.length)}${seed.slice(at + length)}`;
        yield (size) => `${seed.slice(0, at)}${part.repeat(size / part.length)}\0`;
      }
    }
  }
}

describe("parsers take linear time on every input", () => {
  it.each(PARSERS.map((row) => [row[0], row] as const))("%s", async (_name, [, parse, ...seeds]) => {
    for (const make of inputsFor(seeds)) await expectLinear(make, parse, { size: 4000 });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { compactJson } from "../../runtime/encoding/json/compact-json.ts";
import { mergeRepeated } from "../../runtime/encoding/json/merge-repeated.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { define, definitionOf } from "../kinds/custom/definitions.ts";
import { expectLinear } from "./growth.ts";

/** Documents of about n bytes, each a way to make a parser read the same part repeatedly. */
const DOCUMENTS: Readonly<Record<string, (n: number) => string>> = {
  "an integer of very many digits": (n) => `{"a":${"9".repeat(n)}}`,
  "a fraction of very many digits": (n) => `{"a":0.${"9".repeat(n)}}`,
  "an exponent of very many digits": (n) => `{"a":1e${"9".repeat(n)}}`,
  "a number that ends wrongly": (n) => `{"a":${"9".repeat(n)}-`,
  "very many numbers of 20 digits": (n) => `[${"12345678901234567890,".repeat(n / 21)}1]`,
  "a key that is repeated": (n) => `{${'"a":1,'.repeat(n / 6)}"a":1}`,
  "keys that are all repeated": (n) => {
    const keys = Array.from({ length: n / 24 }, (_, i) => `"key${i}":1`).join();
    return `{${keys},${keys}}`;
  },
  "an object that is repeated": (n) =>
    `{"a":{${Array.from({ length: n / 30 }, (_, i) => `"key${i}":1`).join()}}${',"a":{}'.repeat(n / 14)}}`,
  "half characters in front of escaped quotes": (n) => `{"a":"\\ud83d${'\\"'.repeat(n / 2)}"}`,
  "a string of half characters": (n) => `{"a":"${"\\ud83d".repeat(n / 6)}"}`,
  "a string that does not end": (n) => `{"a":"\\ud83d${'\\"'.repeat(n / 2)}`,
  "quotes alone": (n) => '"'.repeat(n),
  "backslashes alone": (n) => `"${"\\".repeat(n)}`,
  "brackets that do not close": (n) => "[".repeat(n),
  "brackets that close": (n) => `${"[".repeat(n / 2)}${"]".repeat(n / 2)}`,
  "objects that do not close": (n) => '{"a":'.repeat(n / 5),
  "space alone": (n) => " ".repeat(n),
  "space around everything": (n) => `[${`1${" ".repeat(50)},\n`.repeat(n / 53)}1]`,
  "very many empty lists": (n) => `[${"[],".repeat(n / 3)}[]]`,
  "bytes that are no UTF-8": (n) => `{"a":"${"\ufffd".repeat(n / 3)}"}`,
};

describe("JSON is read in linear time", () => {
  it("refuses a body of 3 MB that nests too deep long before its end", async () => {
    const refuse = (text: string): void => expect(() => parseJson(text)).toThrow("exceeded max depth");
    await expectLinear((n) => "[".repeat(n), refuse, { size: 750_000, boundMs: 200 });
    await expectLinear((n) => '{"a":'.repeat(n / 5), refuse, { size: 750_000, boundMs: 200 });
  });

  for (const [name, document] of Object.entries(DOCUMENTS)) {
    it(`where it is ${name}`, async () => {
      await expectLinear(
        (n) => Buffer.from(document(n)),
        (body) => {
          const { value, repeated } = parseJson(body, { floatLiterals: true, sharesFields: true });
          if (repeated !== undefined) mergeRepeated(repeated);
          stringifyJson(value);
        },
        { size: 100_000 },
      );
    });
  }

  it("and raw data is compacted in linear time", async () => {
    await expectLinear((n) => `{"a":"${'\\"'.repeat(n)}" , "b" : [ ${"1 , ".repeat(n)}1 ]}`, compactJson, {
      size: 100_000,
    });
  });
});

describe("numbers in a field of any type", () => {
  const TINS = "/apis/example.com/v1/namespaces/default/tins";
  const { call } = servePlane({ controllers: "true" });
  beforeAll(() =>
    define(call, definitionOf("tins", "Tin", { type: "object", "x-kubernetes-preserve-unknown-fields": true })),
  );

  const tin = (name: string, number: string) =>
    `{"apiVersion":"example.com/v1","kind":"Tin","metadata":{"name":"${name}"},"spec":{"number":${number}}}`;
  /** The number in the response as it was written. */
  const numberIn = (text: string) => /"number":([^,}]*)/.exec(text.slice(text.indexOf('"spec"')))?.[1];

  it.each([
    ["0", "0"],
    ["-0", "0"],
    ["9007199254740993", "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9223372036854775807", "9223372036854775807"],
    // Kubernetes converts integers beyond 64 bits to doubles.
    ["12345678901234567890", "12345678901234567000"],
    ["1e22", "1e+22"],
    ["1.5", "1.5"],
    ["5e-324", "5e-324"],
    ["1e-400", "0"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ])("%s come back as %s", async (sent, shown) => {
    const name = `n${Buffer.from(sent).toString("hex")}`;
    const created = await call("POST", TINS, { body: tin(name, sent) });
    expect(created.status, created.text).toBe(201);
    expect(numberIn(created.text)).toBe(shown);
    expect(numberIn((await call("GET", `${TINS}/${name}`)).text)).toBe(shown);
  });

  it.each([
    ["1e400", "1e400"],
    ["-1e309", "-1e309"],
    ["an integer of 310 digits", "9".repeat(310)],
    ["an integer of 250,000 digits", "9".repeat(250_000)],
    ["an integer of 2.9 million digits", "9".repeat(2_900_000)],
  ])("are rejected if they do not fit a double: %s", async (_name, number) => {
    await call("POST", TINS, { body: tin("full", "1") });
    const requests: [string, string, string, string][] = [
      ["POST", TINS, "application/json", tin("huge", number)],
      ["PUT", `${TINS}/full`, "application/json", tin("full", number)],
      ["PATCH", `${TINS}/full`, "application/merge-patch+json", `{"spec":{"number":${number}}}`],
      [
        "PATCH",
        `${TINS}/full`,
        "application/json-patch+json",
        `[{"op":"add","path":"/spec/number","value":${number}}]`,
      ],
    ];
    for (const [method, path, type, body] of requests) {
      for (const level of ["Strict", "Ignore"]) {
        const answer = await call(method, `${path}?fieldValidation=${level}`, { type, body });
        expect([400, 422], `${type} ${answer.text.slice(0, 300)}`).toContain(answer.status);
      }
    }
    expect(numberIn((await call("GET", `${TINS}/full`)).text)).toBe("1");
  });

  it("are refused in raw fields of built-in kinds, too", async () => {
    for (const number of ["1e400", "9".repeat(1000)]) {
      const answer = await call("POST", "/apis/apps/v1/namespaces/default/controllerrevisions", {
        body: `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"a"},"revision":1,"data":{"a":${number}}}`,
      });
      expect(answer.status, answer.text.slice(0, 300)).toBe(400);
      expect(answer.body.message).toContain("json: cannot unmarshal number");
    }
  });

  it("of a definition's defaults and enumerations are kept or refused, and never null", async () => {
    const answer = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: JSON.stringify(
        definitionOf("cans", "Can", { type: "object", properties: { a: { type: "number", default: "@" } } }),
      ).replace('"@"', "1e400"),
    });
    expect(answer.status, answer.text.slice(0, 300)).toBe(400);
  });
});

import { expect, it } from "vitest";
import { Informer } from "../../runtime/client/informer/informer.ts";
import { createInformerSource } from "../../runtime/client/informer/informer-source.ts";
import type { KnownObject } from "../../runtime/client/informer/local-store.ts";
import type { Requester } from "../../runtime/client/requester.ts";
import { systemClock } from "../../runtime/lib/clock.ts";

interface Thing extends KnownObject {
  readonly spec?: unknown;
}

const thing = (version: number, spec: string) =>
  `{"metadata":{"name":"a","uid":"u","resourceVersion":"${version}"},"spec":${spec}}`;
const line = (type: string, object: string) => `{"type":"${type}","object":${object}}\n`;
const INITIAL =
  line("ADDED", thing(1, '{"v":1}')) +
  line("BOOKMARK", '{"metadata":{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}');

/** An informer whose first watch sends this after one object and then ends, and whose second watch sends a change and then nothing. */
async function observe(text: string) {
  const bodies = [INITIAL + text, line("MODIFIED", thing(9, '{"v":9}'))];
  const requester = {
    open: async ({ signal }: { signal: AbortSignal }) => ({
      read: async (take: (bytes: Uint8Array) => void | Promise<void>) => {
        const body = bodies.shift();
        if (body !== undefined) await take(Buffer.from(body));
        if (bodies.length > 0) return;
        signal.throwIfAborted();
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
  };
  const token = { group: "", version: "v1", kind: "Thing" } as Parameters<typeof createInformerSource>[2];
  const source = createInformerSource<Thing>(requester as unknown as Requester, "/things", token, {});
  const errors: unknown[] = [];
  const seen: Thing[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const informer = new Informer<Thing>({ source, clock: systemClock, random: () => 0, onError });
  const last = new Promise<void>((resolve) => {
    const note = (object: Thing) => {
      seen.push(object);
      if (object.metadata.resourceVersion === "9") resolve();
    };
    informer.on({ added: note, updated: note });
  });
  await informer.start();
  await last;
  await informer.stop();
  return { errors, seen, versions: seen.map(({ metadata }) => metadata.resourceVersion) };
}

it.each([
  ["no JSON", "nonsense\n"],
  ["null", "null\n"],
  ["no object", '{"type":"MODIFIED"}\n'],
  ["no metadata", line("MODIFIED", '{"spec":{}}')],
  ["metadata that is no object", line("MODIFIED", '{"metadata":null}')],
  ["a name that is no string", line("MODIFIED", '{"metadata":{"name":5}}')],
  ["braces that do not match", line("MODIFIED", thing(3, '{"v":{}'))],
  ["a brace too many", line("MODIFIED", thing(3, '{"v":1}}'))],
  ["a string without an end", line("MODIFIED", thing(3, '{"v":"}'))],
  ["the same as before, cut short", `${line("MODIFIED", thing(3, '{"v":2}')).slice(0, -3)}\n`],
  ["the same as before, and more", line("MODIFIED", thing(3, '{"v":2}}'))],
])("ends the watch before a handler sees a line with %s, and goes on with the next watch", async (_, text) => {
  const { errors, versions } = await observe(
    line("MODIFIED", thing(2, '{"v":2}')) + text + line("ADDED", thing(5, "1")),
  );
  expect(errors).toHaveLength(1);
  expect(versions).toEqual(["1", "2", "9"]);
});

it("throws when a field is read whose brackets match and which is no JSON", async () => {
  const { errors, seen, versions } = await observe(
    line("MODIFIED", thing(2, "{v:1}")) + line("MODIFIED", thing(3, "{v:1}")),
  );
  expect(errors).toEqual([]);
  expect(versions).toEqual(["1", "2", "3", "9"]);
  for (const object of seen.slice(1, 3)) expect(() => object.spec).toThrow(SyntaxError);
  expect(seen.at(-1)?.spec).toEqual({ v: 9 });
});

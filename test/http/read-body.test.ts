import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readBody } from "../../runtime/http/transport/read-body.ts";

function request(): IncomingMessage {
  return Object.assign(new Readable({ read() {} }), { headers: {}, complete: false }) as unknown as IncomingMessage;
}

it.each([
  ["breaks off", new Error("aborted")],
  ["ends", undefined],
])("reading a request body gets 400 if the connection %s before the end of the body", async (_, error) => {
  const req = request();
  const body = readBody(req);
  req.push("{");
  req.destroy(error);
  await expect(body).rejects.toMatchObject({ httpStatus: 400, message: "unexpected EOF" });
});

it("reading a request body includes the bytes that arrived before and those that arrive later", async () => {
  const req = request();
  req.push('{"a":');
  const body = readBody(req);
  req.push("1}");
  req.push(null);
  expect((await body).toString()).toBe('{"a":1}');
});

it("joins the pieces of a body as they arrive, so that none is kept", async () => {
  const req = request();
  const body = readBody(req);
  const piece = Buffer.from("a");
  for (let n = 0; n < 1000; n++) req.push(piece);
  req.push(null);
  const read = await body;
  expect(read.toString()).toBe("a".repeat(1000));
  expect(read.buffer.byteLength).toBeLessThan(2100);
});

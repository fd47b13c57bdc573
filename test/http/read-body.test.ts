import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readBody } from "../../runtime/http/transport/read-body.ts";

function request(): IncomingMessage {
  return Object.assign(new Readable({ read() {} }), { headers: {}, complete: false }) as unknown as IncomingMessage;
}

it.each([
  ["breaks off", new Error("aborted")],
  ["just ends", undefined],
])("takes a client whose connection %s before its body is there for one that sent too little", async (_, error) => {
  const req = request();
  const body = readBody(req);
  req.push("{");
  req.destroy(error);
  await expect(body).rejects.toMatchObject({ httpStatus: 400, message: "unexpected EOF" });
});

it("reads what has arrived and what comes later", async () => {
  const req = request();
  req.push('{"a":');
  const body = readBody(req);
  req.push("1}");
  req.push(null);
  expect((await body).toString()).toBe('{"a":1}');
});

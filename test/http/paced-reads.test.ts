import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Http2Session } from "node:http2";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { PacedReads } from "../../runtime/http/transport/paced-reads.ts";

/** A connection that records whether it is read. */
function connection() {
  const handle = {
    reading: true,
    isRead: true,
    readStart: () => {
      handle.isRead = true;
    },
    readStop: () => {
      handle.isRead = false;
    },
  };
  return { socket: { _handle: handle } as unknown as Socket, handle };
}

function requestOn(
  reads: PacedReads,
  socket: Socket,
  headers: IncomingHttpHeaders = { "transfer-encoding": "chunked" },
) {
  const req = Object.assign(new Readable({ read() {} }), { socket, headers }) as unknown as IncomingMessage & {
    _dump(): void;
  };
  reads.followRequest(req);
  return req;
}

const pieces = (stream: Pick<Readable, "push">, count: number): boolean[] =>
  Array.from({ length: count }, () => stream.push(Buffer.from("x")));

it("stops reading connections whose bodies have thousands of pieces, and reads them again one after another", async () => {
  const reads = new PacedReads();
  const connections = [connection(), connection(), connection()];
  for (const { socket } of connections) pieces(requestOn(reads, socket).resume(), 4001);
  const areRead = () => connections.map(({ handle }) => handle.isRead);
  expect(areRead()).toEqual([false, false, false]);
  await nextTurn();
  expect(areRead()).toEqual([true, false, false]);
  await nextTurn();
  expect(areRead()).toEqual([true, true, true]);
});

it("closes a connection that it cannot stop reading", () => {
  let isClosed = false;
  const socket = { destroy: () => (isClosed = true) } as unknown as Socket;
  pieces(requestOn(new PacedReads(), socket).resume(), 4001);
  expect(isClosed).toBe(true);
});

it("does not read a connection again that Node stopped meanwhile", async () => {
  const reads = new PacedReads();
  const { socket, handle } = connection();
  pieces(requestOn(reads, socket).resume(), 4001);
  handle.reading = false;
  await nextTurn();
  expect(handle.isRead).toBe(false);
});

it("counts the pieces of a body that is not wanted any more", () => {
  const { socket, handle } = connection();
  const req = requestOn(new PacedReads(), socket);
  req._dump();
  pieces(req, 4001);
  expect(handle.isRead).toBe(false);
});

it("leaves requests without a body alone", () => {
  const req = requestOn(new PacedReads(), connection().socket, { accept: "application/json" });
  expect(Object.keys(req)).not.toContain("push");
});

it("wants no more of a body of which thousands of pieces wait", () => {
  const { socket } = connection();
  const wanted = pieces(requestOn(new PacedReads(), socket), 4097);
  expect(wanted.indexOf(false)).toBe(4095);
});

it("counts pings, and ends a session with thousands of pieces of a body that wait", () => {
  const reads = new PacedReads();
  const { socket, handle } = connection();
  const ended: unknown[] = [];
  const session = Object.assign(new EventEmitter(), { socket, destroy: (...given: unknown[]) => ended.push(given) });
  reads.followSession(session as unknown as Http2Session);
  for (let n = 0; n < 4001; n++) session.emit("ping", Buffer.alloc(8));
  expect(handle.isRead).toBe(false);
  const stream = new Readable({ read() {} });
  session.emit("stream", stream);
  pieces(stream, 4095);
  expect(ended).toEqual([]);
  pieces(stream, 1);
  expect(ended).toEqual([[undefined, 11]]);
});

import { expect, it } from "vitest";
import type { LogRecord } from "../../runtime/store/embedded/engine.ts";
import { RecentHeads } from "../../runtime/store/embedded/recent-heads.ts";

const record = (key: string, revision: number, type: "put" | "delete" = "put"): LogRecord => ({
  key,
  revision,
  type,
  createRevision: type === "put" ? 2 : 0,
  previousRevision: 0,
  time: 0,
  value: new Uint8Array(),
});

it("has the revision of a key that was written, and none of one that was deleted", () => {
  const heads = new RecentHeads();
  heads.note([record("/a", 2), record("/b", 3)]);
  heads.note([record("/a", 4), record("/b", 5, "delete")]);
  expect(heads.get("/a")).toEqual({ key: "/a", modRevision: 4, createRevision: 2 });
  expect(heads.get("/b")).toBeUndefined();
});

it("evicts old entries instead of growing, and keeps the latest ones", () => {
  const heads = new RecentHeads();
  for (let index = 0; index < 20_000; index++) heads.note([record(`/key-${index}`, index + 2)]);
  expect(heads.get("/key-0")).toBeUndefined();
  expect(heads.get("/key-19999")?.modRevision).toBe(20_001);
});

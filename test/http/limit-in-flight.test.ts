import { describe, expect, it } from "vitest";
import type { UserInfo } from "../../runtime/contract/user-info.ts";
import type { AppContext } from "../../runtime/http/pipeline/app-state.ts";
import { Budget, budgetOwner } from "../../runtime/http/pipeline/budget.ts";
import { limitInFlight } from "../../runtime/http/pipeline/limit-in-flight.ts";
import { Slots } from "../../runtime/http/pipeline/slots.ts";

const user = (name: string, ...groups: string[]): UserInfo => ({ name, groups });
const NODE = user("system:node:n1", "system:nodes");
const ADMIN = user("admin", "system:masters");

/** Requests that run until they are told to end. */
function newServer(writes: number, watches = { perUser: 0, total: 0 }) {
  const slots = new Slots("writes", writes);
  const longRunning = new Budget("longrunning_requests", watches);
  const limit = limitInFlight({ reads: new Slots("reads", 1), writes: slots, longRunning });
  const begin = async (by: UserInfo, verb = "create") => {
    let end: () => void = () => undefined;
    const worked = new Promise<void>((resolve) => {
      end = resolve;
    });
    const state = { user: by, info: { isResource: true, verb, subresource: "" }, terminated: false };
    const ctx = { state } as unknown as AppContext;
    const answered = limit(ctx, () => worked);
    const working = new Promise((resolve) => setImmediate(resolve, "working"));
    const outcome = await Promise.race([answered.catch((error: unknown) => error), working]);
    const finish = (): Promise<unknown> => {
      end();
      return answered;
    };
    return { outcome, state: ctx.state, end: finish };
  };
  const beginMany = async (count: number, by: UserInfo, verb?: string) => {
    const all = [];
    for (let index = 0; index < count; index++) all.push(await begin(by, verb));
    return all.filter(({ outcome }) => outcome === "working");
  };
  return { slots, longRunning, begin, beginMany };
}

describe("the limit of concurrent write requests", () => {
  it("rejects further requests with 429, except those of administrators", async () => {
    const { begin } = newServer(1);
    const first = await begin(user("alice"));
    const second = await begin(user("bob"));
    expect(second.outcome).toMatchObject({ httpStatus: 429, status: { details: { retryAfterSeconds: 1 } } });
    expect(second.state.terminated).toBe(true);
    expect((await begin(ADMIN)).outcome).toBe("working");
    await first.end();
    expect((await begin(user("bob"))).outcome).toBe("working");
  });

  it("leaves room for other users when one user sends many requests", async () => {
    const { beginMany } = newServer(200);
    const alice = await beginMany(300, user("alice"));
    expect(alice.length).toBeGreaterThan(100);
    expect(alice.length).toBeLessThan(160);
    expect((await beginMany(20, user("bob"))).length).toBe(20);
  });

  it("reserves room for nodes and system components when many users send requests", async () => {
    const { beginMany } = newServer(200);
    for (let index = 0; index < 300; index++) await beginMany(1, user(`tenant-${index}`));
    expect(await beginMany(1, user("one-more"))).toEqual([]);
    expect((await beginMany(5, NODE)).length).toBe(5);
    const account = user("system:serviceaccount:kube-system:job-controller", "system:serviceaccounts:kube-system");
    expect((await beginMany(5, account)).length).toBe(5);
  });

  it("counts all service accounts of a namespace together and releases every slot", async () => {
    const { slots, beginMany } = newServer(100);
    const held = [];
    for (let index = 0; index < 200; index++)
      held.push(...(await beginMany(1, user(`system:serviceaccount:team:account-${index}`))));
    expect(held.length).toBeLessThan(75);
    for (const { end } of held) await end();
    expect(slots.used).toBe(0);
  });

  it("releases the slot while a request waits for its body", async () => {
    const { slots, begin } = newServer(1);
    const first = await begin(user("alice"));
    first.state.slot?.release();
    const second = await begin(user("bob"));
    expect(second.outcome).toBe("working");
    expect(first.state.slot?.retake()).toBe(false);
    await second.end();
    expect(first.state.slot?.retake()).toBe(true);
    await first.end();
    expect(first.state.slot?.retake()).toBe(false);
    expect(slots.used).toBe(0);
  });
});

describe("the limit of concurrent watches", () => {
  it("applies per user and in total, with room reserved for nodes", async () => {
    const { longRunning, beginMany } = newServer(0, { perUser: 3, total: 5 });
    const alice = await beginMany(10, user("alice"), "watch");
    const bob = await beginMany(10, user("bob"), "watch");
    expect([alice.length, bob.length]).toEqual([3, 2]);
    expect((await beginMany(10, NODE, "watch")).length).toBe(3);
    expect((await beginMany(10, ADMIN, "watch")).length).toBe(10);
    expect(longRunning.refusals).toEqual({ user: 14, all: 8 });
    for (const { end } of [...alice, ...bob]) await end();
    expect((await beginMany(1, user("alice"), "watch")).length).toBe(0);
    expect(longRunning.heldBy(budgetOwner(user("alice")))).toBe(0);
  });
});

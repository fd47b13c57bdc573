import { CompactedError, FutureRevisionError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import type { ObjectCodec } from "./codec.ts";
import type { ConsistentRead } from "./consistent-read.ts";
import { type ContinueTokens, LATEST } from "./continue-token.ts";
import { ExpiredError, TooLargeResourceVersionError } from "./errors.ts";
import type { ListPlan } from "./list-plan.ts";
import type { ObjectState } from "./object-state.ts";
import { PastPages } from "./past-pages.ts";
import { LISTED_AHEAD, readAhead } from "./read-ahead.ts";
import type { ListRequest, ListResult } from "./requests.ts";
import type { RevisionGate } from "./revision-gate.ts";
import type { ObjectMap, Page, PageRequest } from "./select-page.ts";
import { type FindCached, selectFromStore } from "./store-pages.ts";

type Position = Pick<PageRequest, "startAfter" | "limit" | "delivered">;

/** Executes list plans: reads the present state, a snapshot, or the store's history. */
export class ListReader {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #reading: { readonly codec: ObjectCodec; readonly findCached: FindCached };
  readonly #state: ObjectState;
  readonly #gate: RevisionGate;
  readonly #consistent: ConsistentRead;
  readonly #tokens: ContinueTokens;
  /** Absent if reads of the store are asynchronous calls. */
  readonly #past: PastPages | undefined;

  constructor(parts: {
    readonly store: Store;
    /** Prefix of all keys of the resource. */
    readonly prefix: string;
    readonly codec: ObjectCodec;
    readonly state: ObjectState;
    readonly gate: RevisionGate;
    readonly consistent: ConsistentRead;
    readonly tokens: ContinueTokens;
  }) {
    this.#store = parts.store;
    this.#prefix = parts.prefix;
    this.#reading = {
      codec: parts.codec,
      findCached(key, modRevision) {
        const cached = parts.state.get(key);
        return cached?.modRevision === modRevision ? cached : undefined;
      },
    };
    this.#state = parts.state;
    this.#gate = parts.gate;
    this.#consistent = parts.consistent;
    this.#tokens = parts.tokens;
    const { direct } = parts.store;
    this.#past = direct && new PastPages({ ...parts, direct });
  }

  async list(request: ListRequest, plan: ListPlan): Promise<ListResult> {
    const result = await this.#select(request, plan);
    // If reads wait for a disk, all items of a page are read concurrently, and not by the thread that writes responses.
    const reading = readAhead(result.items, 0, LISTED_AHEAD);
    if (reading !== undefined) await reading;
    return result;
  }

  async #select(request: ListRequest, plan: ListPlan): Promise<ListResult> {
    switch (plan.kind) {
      case "any":
        return this.#present(request, {});
      case "notOlderThan":
        await this.#consistent.notOlderThan(plan.revision, request.resourceVersion);
        return this.#present(request, plan);
      case "mostRecent":
        return this.#mostRecent(request, plan);
      case "exact":
        await this.#catchUpWith(plan.revision, request.resourceVersion);
        return this.#exact(request, plan.revision, plan);
      case "continuation":
        return this.#continuation(request, plan);
    }
  }

  /** Like `list`, but reads only the store, because the present state could not be loaded. */
  listFromStore(request: ListRequest, plan: ListPlan): Promise<ListResult> {
    const isAtRevision = plan.kind === "exact" || plan.kind === "continuation";
    return this.#fromStore(request, isAtRevision ? plan.revision : undefined, plan.kind === "any" ? {} : plan);
  }

  /** Waits for a revision. Does nothing if the cache cannot know that it has caught up: the store then resolves the revision. */
  async #catchUpWith(revision: number, asked?: string): Promise<void> {
    if (this.#store.tellsProgress) await this.#consistent.notOlderThan(revision, asked);
  }

  async #mostRecent(request: ListRequest, position: Position): Promise<ListResult> {
    if (this.#store.watchesAreImmediate) return this.#present(request, position);
    if (!this.#store.tellsProgress) return this.#fromStore(request, undefined, position);
    try {
      await this.#consistent.mostRecent();
    } catch (error) {
      // The cache cannot keep up: the store has the most recent state.
      if (!(error instanceof TooLargeResourceVersionError)) throw error;
      return this.#fromStore(request, undefined, position);
    }
    return this.#present(request, position);
  }

  #present(request: ListRequest, position: Position): ListResult | Promise<ListResult> {
    const preparing = this.#state.prepare(request);
    if (preparing === undefined) return this.#presentNow(request, position);
    return preparing.then(() => this.#presentNow(request, position));
  }

  /** Returns the state of this turn, even if scanning it takes several turns. */
  #presentNow(request: ListRequest, position: Position): ListResult | Promise<ListResult> {
    const revision = this.#gate.current;
    const page = this.#state.page(this.#pageOf(request, position), revision);
    if (!(page instanceof Promise)) return this.#resultOf(page, request, revision, position);
    return page.then((found) => this.#resultOf(found, request, revision, position));
  }

  async #exact(request: ListRequest, revision: number, position: Position): Promise<ListResult> {
    const { current } = this.#gate;
    const objects =
      revision <= current
        ? (this.#state.snapshotAt(revision, current) ?? this.#recentAt(revision, current))
        : undefined;
    if (objects === undefined) return this.#fromHistory(request, revision, position);
    const page = await this.#state.pageOf(objects, this.#pageOf(request, position));
    return this.#resultOf(page, request, revision, position);
  }

  /**
   * Computes in memory the state that the store would read: the store's reads may wait for a disk, and it counts the keys after a page one
   * by one. Returns undefined for compacted revisions, which the store then refuses.
   */
  #recentAt(revision: number, current: number): ObjectMap | undefined {
    const { direct } = this.#store;
    const isKept = direct !== undefined && revision >= direct.compactedRevision();
    return isKept ? this.#state.recentAt(revision, current) : undefined;
  }

  async #continuation(
    request: ListRequest,
    plan: Position & { readonly revision: number; readonly startAfter: string },
  ): Promise<ListResult> {
    try {
      await this.#catchUpWith(plan.revision);
      return await this.#exact(request, plan.revision, plan);
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      const token = this.#tokens.encode({ revision: LATEST, startAfter: plan.startAfter }, request.scope);
      throw ExpiredError.continuation(token, error);
    }
  }

  /** Reads an older state from the present objects and the history of the store, or from the store alone. */
  #fromHistory(request: ListRequest, revision: number, position: Position): Promise<ListResult> {
    const { current } = this.#gate;
    const past = this.#past;
    if (past === undefined || request.single || revision > current) return this.#fromStore(request, revision, position);
    return translated(async () => {
      const { direct } = this.#store;
      if (direct !== undefined && revision < direct.compactedRevision())
        throw new CompactedError(direct.compactedRevision());
      const page = await past.select(this.#pageOf(request, position), revision, current);
      return this.#resultOf(page, request, revision, position);
    });
  }

  #fromStore(request: ListRequest, atRevision: number | undefined, position: Position): Promise<ListResult> {
    return translated(async () => {
      const wanted = this.#pageOf(request, position);
      const { found, revision } = await selectFromStore(this.#store, this.#reading, wanted, atRevision);
      return this.#resultOf(found, request, revision, position);
    });
  }

  #resultOf(page: Page, request: ListRequest, revision: number, position: Position): ListResult {
    const last = page.items.at(-1);
    const more = page.more && last !== undefined;
    const before = position.startAfter === undefined ? 0 : position.delivered;
    const delivered = request.selector || before === undefined ? undefined : before + page.items.length;
    return {
      items: page.items,
      resourceVersion: revision,
      continue: more ? this.#tokens.encode({ revision, startAfter: last.key, delivered }, request.scope) : undefined,
      remainingItemCount: more ? page.remaining : undefined,
    };
  }

  #pageOf({ scope, single, selector }: ListRequest, { startAfter, limit, delivered }: Position): PageRequest {
    return { scope, single, selector, startAfter, limit, delivered, coversAll: scope === this.#prefix };
  }
}

/** Translates errors of the store to those of a list. */
async function translated<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CompactedError) throw ExpiredError.list(error);
    if (error instanceof FutureRevisionError) {
      throw new TooLargeResourceVersionError(error.requested, error.current);
    }
    throw error;
  }
}

import type { BudgetOwner, Refusal } from "./budget.ts";

/** Share of the slots that is reserved for system users. */
const KEPT_FOR_SYSTEM = 0.1;
/**
 * A user may hold at most this many times the number of free slots: a single user gets at most three quarters, so that other users find
 * free slots.
 */
const MOST_OF_FREE = 3;

/** Limits how many requests of one kind are processed concurrently. */
export class Slots {
  /** For metrics. */
  readonly name: string;
  readonly refusals: Record<Refusal, number> = { user: 0, all: 0 };
  readonly #limit: number;
  readonly #kept: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** 0 means no limit. */
  constructor(name: string, limit: number) {
    this.name = name;
    this.#limit = limit;
    this.#kept = Math.floor(limit * KEPT_FOR_SYSTEM);
  }

  get used(): number {
    return this.#used;
  }

  /** Returns undefined if no slot is free, in total or for this user. */
  take(owner: BudgetOwner): Slot | undefined {
    const slot = new Slot(this, owner);
    return slot.retake() ? slot : undefined;
  }

  /** Takes a slot. Returns false if none is free, in total or for this user. */
  admit(owner: BudgetOwner): boolean {
    const held = this.#held.get(owner.key) ?? 0;
    if (this.#limit > 0) {
      const free = this.#limit - (owner.isSystem ? 0 : this.#kept) - this.#used;
      if (free <= 0 || held >= free * MOST_OF_FREE) {
        this.refusals[free <= 0 ? "all" : "user"] += 1;
        return false;
      }
    }
    this.#held.set(owner.key, held + 1);
    this.#used += 1;
    return true;
  }

  leave(owner: BudgetOwner): void {
    const left = (this.#held.get(owner.key) ?? 0) - 1;
    if (left > 0) this.#held.set(owner.key, left);
    else this.#held.delete(owner.key);
    this.#used -= 1;
  }
}

/** The capacity that a request holds while it is processed. It is released while the request waits for its client. */
export interface HeldSlot {
  release(): void;
  /** Takes the capacity again, possibly after waiting. Returns false if that is refused. */
  retake(): boolean | Promise<boolean>;
  /** Takes the capacity again without waiting, for a request that continues in any case. */
  resume(): void;
  /** Ends the request: it takes no capacity again, whatever it still waits for. */
  end(): void;
}

/** The slot of one request. */
export class Slot implements HeldSlot {
  readonly #slots: Slots;
  readonly #owner: BudgetOwner;
  #held = false;
  #isOver = false;

  constructor(slots: Slots, owner: BudgetOwner) {
    this.#slots = slots;
    this.#owner = owner;
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#slots.leave(this.#owner);
  }

  /** Returns false if no slot is free now. */
  retake(): boolean {
    if (!this.#isOver) this.#held ||= this.#slots.admit(this.#owner);
    return this.#held;
  }

  resume(): void {
    this.retake();
  }

  end(): void {
    this.release();
    this.#isOver = true;
  }
}

import type { BudgetOwner, Refusal } from "./budget.ts";

/** Part of the slots that only the system's own users get. */
const KEPT_FOR_SYSTEM = 0.1;
/** Nobody holds more than so many times the slots that are free: a user alone gets three of four, and others find room. */
const MOST_OF_FREE = 3;

/** How many requests of one kind are worked on at a time. */
export class Slots {
  /** For metrics. */
  readonly name: string;
  readonly refusals: Record<Refusal, number> = { user: 0, all: 0 };
  readonly #limit: number;
  readonly #kept: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** 0 is no limit. */
  constructor(name: string, limit: number) {
    this.name = name;
    this.#limit = limit;
    this.#kept = Math.floor(limit * KEPT_FOR_SYSTEM);
  }

  get used(): number {
    return this.#used;
  }

  /** Undefined if no slot is free, in total or for this user. */
  take(owner: BudgetOwner): Slot | undefined {
    const slot = new Slot(this, owner);
    return slot.retake() ? slot : undefined;
  }

  /** Whether a request may be worked on now. */
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

/** One request's place among those that are worked on. It gives it up while it waits for its client. */
export class Slot {
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

  /** False where there is no room now. */
  retake(): boolean {
    if (!this.#isOver) this.#held ||= this.#slots.admit(this.#owner);
    return this.#held;
  }

  /** The request is over: whatever it still waited for takes no slot again. */
  end(): void {
    this.release();
    this.#isOver = true;
  }
}

import type { UserInfo } from "../../contract/user-info.ts";

/** The user, or group of users, to whom usage is charged. */
export interface BudgetOwner {
  readonly key: string;
  /** Administrators are exempt from all limits. */
  readonly isExempt: boolean;
  /** Whether the owner is a node or component of the cluster, for which capacity is reserved. */
  readonly isSystem: boolean;
}

const EXEMPT_GROUP = "system:masters";
const SYSTEM_GROUPS = ["system:nodes", "system:serviceaccounts:kube-system"];
const SYSTEM_USER = /^system:(?:kube-|apiserver$)/;
const ACCOUNT_PREFIX = "system:serviceaccount:";
const SYSTEM_ACCOUNT_PREFIX = "system:serviceaccount:kube-system:";

/**
 * The owner to whom a user's requests are charged. All service accounts of a namespace share one, because a user who can create one account
 * can create many. Those of kube-system do not share: each controller has its own.
 */
export function budgetOwner({ name, groups }: UserInfo): BudgetOwner {
  return {
    key: name.startsWith(ACCOUNT_PREFIX) && !name.startsWith(SYSTEM_ACCOUNT_PREFIX) ? namespaceOf(name) : name,
    isExempt: groups.includes(EXEMPT_GROUP),
    isSystem: SYSTEM_GROUPS.some((group) => groups.includes(group)) || SYSTEM_USER.test(name),
  };
}

function namespaceOf(account: string): string {
  const end = account.indexOf(":", ACCOUNT_PREFIX.length);
  return end < 0 ? account : account.slice(0, end);
}

export interface BudgetLimits {
  /** 0 means no limit. */
  readonly perUser: number;
  /** Limit for all users except system users; 0 means no limit. */
  readonly total: number;
}

/** Which limit was exceeded: that of the user, or that of all users. */
export type Refusal = "user" | "all";

/** Counts a quantity that users hold, such as requests or bytes, per user and in total. */
export class Budget {
  /** For metrics. */
  readonly name: string;
  readonly refusals: Record<Refusal, number> = { user: 0, all: 0 };
  readonly #limits: BudgetLimits;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(name: string, limits: BudgetLimits) {
    this.name = name;
    this.#limits = limits;
  }

  get used(): number {
    return this.#total;
  }

  heldBy(owner: BudgetOwner): number {
    return this.#held.get(owner.key) ?? 0;
  }

  /** Charges `amount`, or charges nothing and returns the limit that it would exceed. A user that holds nothing never exceeds the limit per user. */
  take(owner: BudgetOwner, amount: number): Refusal | undefined {
    const refusal = owner.isExempt ? undefined : this.#refusal(owner, amount);
    if (refusal !== undefined) {
      this.refusals[refusal] += 1;
      return refusal;
    }
    this.#held.set(owner.key, this.heldBy(owner) + amount);
    this.#total += amount;
    return undefined;
  }

  giveBack(owner: BudgetOwner, amount: number): void {
    const left = this.heldBy(owner) - amount;
    if (left > 0) this.#held.set(owner.key, left);
    else this.#held.delete(owner.key);
    this.#total -= amount;
  }

  #refusal(owner: BudgetOwner, amount: number): Refusal | undefined {
    const held = this.heldBy(owner);
    const { perUser, total } = this.#limits;
    if (perUser > 0 && held > 0 && held + amount > perUser) return "user";
    if (total > 0 && !owner.isSystem && this.#total > 0 && this.#total + amount > total) return "all";
    return undefined;
  }
}

import type { UserInfo } from "../../contract/user-info.ts";

/** The user, or group of users, that something is counted for. */
export interface BudgetOwner {
  readonly key: string;
  /** Administrators are exempt from all limits. */
  readonly isExempt: boolean;
  /** Nodes and components of the cluster, for which capacity is reserved. */
  readonly isSystem: boolean;
}

const EXEMPT_GROUP = "system:masters";
const SYSTEM_GROUPS = ["system:nodes", "system:serviceaccounts:kube-system"];
const SYSTEM_USER = /^system:(?:kube-|apiserver$)/;
const ACCOUNT_PREFIX = "system:serviceaccount:";
const SYSTEM_ACCOUNT_PREFIX = "system:serviceaccount:kube-system:";

/**
 * The service accounts of a namespace count as one: a user who can create one can create many. Those of kube-system do not:
 * controllers have one each.
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
  /** 0 is no limit. */
  readonly perUser: number;
  /** Of all users but those of the system; 0 is no limit. */
  readonly total: number;
}

/** Which limit was exceeded: that of the user, or that of all users. */
export type Refusal = "user" | "all";

/** Counts something that users hold, each and together: requests or bytes. */
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

  /** Takes `amount`, or nothing if that exceeds a limit, which is returned. A user that holds nothing never exceeds its own limit. */
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

import { type Part, RULE_NAMES, type RuleName, ruleBody } from "./grammar.ts";

/** A state of the grammar's automaton: a position in a rule with its transitions. */
export interface Place {
  readonly id: number;
  readonly kind: "plain" | "block" | "loop" | "end";
  /** Places that can be reached without consuming a token (epsilon transitions). */
  readonly same: Place[];
  readonly token?: { readonly types: ReadonlySet<string>; readonly next: Place };
  readonly call?: { readonly rule: RuleName; readonly next: Place };
}

/** A part of a rule with its places in the automaton. */
export type Step =
  | { readonly form: "token"; readonly at: Place }
  | { readonly form: "rule"; readonly at: Place; readonly name: RuleName }
  | { readonly form: "sequence"; readonly steps: readonly Step[] }
  | {
      readonly form: "choice";
      readonly at: Place;
      readonly steps: readonly Step[];
      readonly deep: boolean;
      readonly optional: boolean;
    }
  | {
      readonly form: "star" | "plus";
      readonly at: Place;
      readonly back: Place;
      readonly step: Step;
      readonly deep: boolean;
    };

/** Member of `nextTokens` that means that the rule may end here. */
export const OVER = "";

/** The grammar as an automaton, like the ATN of ANTLR: a graph of places for each rule. */
export class Network {
  readonly #rules = new Map<RuleName, { readonly first: Place; readonly step: Step; readonly end: Place }>();
  readonly #next = new Map<Place, ReadonlySet<string>>();
  /** By the end of each rule, the places after all calls of the rule. */
  readonly #followers = new Map<Place, Place[]>();
  #count = 0;

  constructor() {
    const calls: { readonly rule: RuleName; readonly next: Place }[] = [];
    for (const name of RULE_NAMES) {
      const end = this.#place("end");
      const { first, step } = this.#lay(ruleBody(name), end, calls);
      this.#rules.set(name, { first, step, end });
    }
    for (const { rule, next } of calls) {
      const { end } = this.rule(rule);
      this.#followers.set(end, [...(this.#followers.get(end) ?? []), next]);
    }
  }

  rule(name: RuleName): { readonly first: Place; readonly step: Step } & { readonly end: Place } {
    return this.#rules.get(name) as { first: Place; step: Step; end: Place };
  }

  followersOf(end: Place): readonly Place[] {
    return this.#followers.get(end) ?? [];
  }

  /** Types of the tokens that may come next within the rule, and `OVER` if the rule may end here. */
  nextTokens(place: Place): ReadonlySet<string> {
    let known = this.#next.get(place);
    if (known === undefined) {
      const found = new Set<string>();
      this.#gather(place, found, new Set());
      this.#next.set(place, (known = found));
    }
    return known;
  }

  #gather(place: Place, found: Set<string>, seen: Set<Place>): void {
    if (seen.has(place)) return;
    seen.add(place);
    if (place.kind === "end") found.add(OVER);
    for (const type of place.token?.types ?? []) found.add(type);
    if (place.call !== undefined) for (const type of this.nextTokens(this.rule(place.call.rule).first)) found.add(type);
    for (const other of place.same) this.#gather(other, found, seen);
  }

  #place(kind: Place["kind"], more: Pick<Place, "token" | "call"> = {}): Place {
    return { id: this.#count++, kind, same: [], ...more };
  }

  /** Creates the places of a part, with `next` as the place after it. */
  #lay(part: Part, next: Place, calls: { rule: RuleName; next: Place }[]): { first: Place; step: Step } {
    switch (part.form) {
      case "token": {
        const at = this.#place("plain", { token: { types: new Set(part.types), next } });
        return { first: at, step: { form: "token", at } };
      }
      case "rule": {
        const call = { rule: part.name, next };
        calls.push(call);
        const at = this.#place("plain", { call });
        return { first: at, step: { form: "rule", at, name: part.name } };
      }
      case "sequence": {
        const steps: Step[] = [];
        let first = next;
        for (const each of part.parts.toReversed()) {
          const laid = this.#lay(each, first, calls);
          first = laid.first;
          steps.unshift(laid.step);
        }
        return { first, step: { form: "sequence", steps } };
      }
      case "choice":
      case "optional": {
        const at = this.#place("block");
        const laid = part.parts.map((each) => this.#lay(each, next, calls));
        const isOptional = part.form === "optional";
        at.same.push(...laid.map(({ first }) => first), ...(isOptional ? [next] : []));
        const steps = laid.map(({ step }) => step);
        return { first: at, step: { form: "choice", at, steps, deep: part.deep, optional: isOptional } };
      }
      default: {
        const at = this.#place("block");
        const back = this.#place("loop");
        const { first, step } = this.#lay(part.part, back, calls);
        if (part.form === "star") {
          at.same.push(first, next);
          back.same.push(at);
        } else {
          at.same.push(first);
          back.same.push(at, next);
        }
        return { first: at, step: { form: part.form, at, back, step, deep: part.deep } };
      }
    }
  }
}

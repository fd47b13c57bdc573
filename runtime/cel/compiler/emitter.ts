/**
 * Collects the JavaScript of one program. Every value is stored in a temporary, so the order of evaluation is the order of the lines. No part of
 * an expression becomes code: names and literals are passed through the pool of constants or `JSON.stringify`.
 */
export class Emitter {
  #lines: string[] = [];
  #temporaries = 0;
  #labels = 0;
  #pendingCost = 0;
  #costLine = -1;
  readonly #pool: unknown[] = [];
  readonly #pooled = new Map<unknown, string>();
  /** Whether code that was emitted since this was last reset may throw an error that `&&` and `||` absorb. */
  mayThrow = false;

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Returns the name of a new, unassigned variable of the program. */
  temporary(): string {
    return `t${this.#temporaries++}`;
  }

  label(): string {
    return `L${this.#labels++}`;
  }

  /** Evaluates an expression now and returns the name of its value. */
  assign(expression: string): string {
    const name = this.temporary();
    this.line(`${name} = ${expression};`);
    return name;
  }

  /** Returns the name by which the program refers to a value or helper function. */
  constant(value: unknown): string {
    const known = this.#pooled.get(value);
    if (known !== undefined) return known;
    const name = `k${this.#pool.length}`;
    this.#pool.push(value);
    this.#pooled.set(value, name);
    return name;
  }

  /** Returns JavaScript for a constant value. */
  literal(value: unknown): string {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
    if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return String(value);
    return this.constant(value);
  }

  /**
   * Adds to the cost of the code at this point. Costs of straight-line code are summed up at compile time and charged in advance: Kubernetes
   * charges for calls that fail too, so an error in the middle does not reduce the cost.
   */
  charge(cost: number): void {
    if (this.#costLine < 0) this.#costLine = this.#lines.push("") - 1;
    this.#pendingCost += cost;
  }

  /** Ends a section of straight-line code. Must be called where control flow splits or joins, and before the limit is checked. */
  settleCost(): void {
    if (this.#costLine >= 0) this.#lines[this.#costLine] = `budget.spent += ${this.#pendingCost};`;
    this.#pendingCost = 0;
    this.#costLine = -1;
  }

  checkLimit(): void {
    this.settleCost();
    this.line("if (budget.spent > budget.limit) exceeded();");
  }

  /** Emits conditional code. Returns its lines, which the caller inserts, and whether it may throw. */
  capture<T>(emit: () => T): { lines: string[]; result: T; throws: boolean } {
    this.settleCost();
    const outer = this.#lines;
    const outerThrow = this.mayThrow;
    this.#lines = [];
    this.mayThrow = false;
    const result = emit();
    this.settleCost();
    const captured = { lines: this.#lines, result, throws: this.mayThrow };
    this.#lines = outer;
    this.mayThrow ||= outerThrow;
    return captured;
  }

  place(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** Returns the finished function. It takes bindings and a budget, and returns the value or throws. */
  finish(result: string, exceeded: () => never): (bindings: object, budget: object) => unknown {
    this.checkLimit();
    const variables = Array.from({ length: this.#temporaries }, (_, i) => `t${i}`);
    const declared = variables.length === 0 ? "" : `let ${variables.join(", ")};`;
    const body = `"use strict"; return (bindings, budget) => { ${declared}\n${this.#lines.join("\n")}\nreturn ${result}; };`;
    const names = this.#pool.map((_, i) => `k${i}`);
    return new Function("exceeded", ...names, body)(exceeded, ...this.#pool);
  }
}

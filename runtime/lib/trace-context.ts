import { AsyncLocalStorage } from "node:async_hooks";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A part of a trace that is under way. */
export interface OpenSpan {
  /** For the header of requests that belong to it. */
  readonly traceparent: string;
  child(name: string, attributes: SpanAttributes): OpenSpan;
  fail(error: unknown): void;
  end(): void;
}

const active = new AsyncLocalStorage<OpenSpan>();

/** The header `traceparent` of requests to other servers; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  return active.getStore()?.traceparent;
}

/** Does the work within a span that its caller ends. */
export function withSpan<T>(span: OpenSpan, work: () => T): T {
  return active.run(span, work);
}

/** Does the work within a span of its own, if the request is traced. */
export function inSpan<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  const parent = active.getStore();
  if (parent === undefined) return work();
  const span = parent.child(name, attributes);
  return (async () => {
    try {
      return await active.run(span, work);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  })();
}

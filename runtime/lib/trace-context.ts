import { AsyncLocalStorage } from "node:async_hooks";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span of a trace that has not ended. */
export interface OpenSpan {
  /** Value of the header `traceparent` for requests that belong to the span. */
  readonly traceparent: string;
  child(name: string, attributes: SpanAttributes): OpenSpan;
  fail(error: unknown): void;
  end(): void;
}

const active = new AsyncLocalStorage<OpenSpan>();

/** Returns the header `traceparent` for requests to other servers. Undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  return active.getStore()?.traceparent;
}

/** Runs `work` within a span, which the caller ends. */
export function withSpan<T>(span: OpenSpan, work: () => T): T {
  return active.run(span, work);
}

/** Runs `work` within a new span, if the request is traced. */
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

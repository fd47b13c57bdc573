import { randomUUID } from "node:crypto";
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingConfiguration } from "../../api-definitions/apiserver/v1beta1/tracing-configuration.ts";
import type { OpenSpan, SpanAttributes } from "../lib/trace-context.ts";

/** A request for which a span is created. */
export interface TracedRequest {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** Value of the client's header; undefined if it sent none. */
  readonly traceparent: string | undefined;
  /** Whether the request continues the client's trace. If not, it starts a new trace that links to it. */
  readonly isTrusted: boolean;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
}

export interface Tracing {
  begin(request: TracedRequest): RequestSpan;
  /** Sends the remaining spans, within a few seconds. */
  close(): Promise<void>;
}

/** The span of a request. */
export interface RequestSpan extends OpenSpan {
  /** Adds a child span that has already ended. */
  past(name: string, startTime: number, endTime: number): void;
  status(code: number): void;
}

const MILLION = 1_000_000;
const EXPORT_TIMEOUT_MS = 5_000;
const DEFAULT_ENDPOINT = "localhost:4317";

/** Exports spans with OTLP over gRPC, without TLS. */
export function openTracing({ endpoint, samplingRatePerMillion: rate }: TracingConfiguration): Tracing {
  const exporter = new OTLPTraceExporter({
    url: addressOf(endpoint ?? DEFAULT_ENDPOINT),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const root = rate ? new TraceIdRatioBasedSampler(rate / MILLION) : new AlwaysOffSampler();
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root }),
    resource: resourceFromAttributes({
      "service.name": "apiserver",
      "service.instance.id": `apiserver-${randomUUID()}`,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer("k8s.io/apiserver");
  return {
    begin({ name, attributes, traceparent, isTrusted, startTime }) {
      const remote = parseTraceparent(traceparent);
      const context = remote === undefined || !isTrusted ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
      const links: Link[] = remote === undefined || isTrusted ? [] : [{ context: remote }];
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.SERVER, attributes: attributes as Attributes, startTime, links },
        context,
      );
      return new RecordedSpan(tracer, span, context);
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Converts a gRPC target (`dns:///host:port`, `unix:///path`) to the syntax of the exporter. */
function addressOf(endpoint: string): string {
  const unix = /^unix:(?:\/\/)?(\/.*)$/.exec(endpoint);
  if (unix !== null) return `unix:${unix[1]}`;
  return `http://${endpoint.replace(/^dns:\/\/(?:[^/]*\/)?/, "")}`;
}

class RecordedSpan implements RequestSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;

  constructor(tracer: Tracer, span: Span, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  /** A span that is not sampled has no child spans. */
  child(name: string, attributes: SpanAttributes): OpenSpan {
    if (!this.#span.isRecording()) return unsampled(this.traceparent);
    const span = this.#tracer.startSpan(name, { attributes: attributes as Attributes }, this.#context);
    return new RecordedSpan(this.#tracer, span, this.#context);
  }

  past(name: string, startTime: number, endTime: number): void {
    if (this.#span.isRecording()) this.#tracer.startSpan(name, { startTime }, this.#context).end(endTime);
  }

  status(code: number): void {
    this.#span.setAttribute("http.status_code", code);
    if (code >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  end(): void {
    this.#span.end();
  }
}

function unsampled(traceparent: string): OpenSpan {
  const span: OpenSpan = { traceparent, child: () => span, fail: () => undefined, end: () => undefined };
  return span;
}

/** Parses the W3C header; returns undefined if it is absent or invalid. */
function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const found = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(header ?? "");
  if (found === null) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = found;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

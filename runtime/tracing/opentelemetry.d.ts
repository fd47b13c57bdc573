/** Types of the used part of OpenTelemetry. Its packages are optional: type checks must also work without them. */
declare module "@opentelemetry/api" {
  export interface SpanContext {
    traceId: string;
    spanId: string;
    traceFlags: number;
    isRemote?: boolean;
  }
  export interface Context {
    getValue(key: symbol): unknown;
  }
  export interface Attributes {
    [name: string]: string | number | boolean | undefined;
  }
  export interface Link {
    context: SpanContext;
  }
  export interface Span {
    spanContext(): SpanContext;
    setAttribute(name: string, value: string | number | boolean): this;
    setStatus(status: { code: SpanStatusCode; message?: string }): this;
    isRecording(): boolean;
    end(endTime?: number): void;
  }
  export interface SpanOptions {
    kind?: SpanKind;
    attributes?: Attributes;
    links?: Link[];
    startTime?: number;
  }
  export interface Tracer {
    startSpan(name: string, options?: SpanOptions, context?: Context): Span;
  }
  export enum SpanKind {
    SERVER = 1,
  }
  export enum SpanStatusCode {
    ERROR = 2,
  }
  export const ROOT_CONTEXT: Context;
  export const trace: {
    setSpan(context: Context, span: Span): Context;
    setSpanContext(context: Context, spanContext: SpanContext): Context;
  };
  export function isSpanContextValid(context: SpanContext): boolean;
}

declare module "@opentelemetry/exporter-trace-otlp-grpc" {
  export class OTLPTraceExporter {
    constructor(config: { url: string; timeoutMillis: number });
    shutdown(): Promise<void>;
  }
}

declare module "@opentelemetry/resources" {
  export interface Resource {
    readonly attributes: { readonly [name: string]: unknown };
  }
  export function resourceFromAttributes(attributes: { readonly [name: string]: string }): Resource;
}

declare module "@opentelemetry/sdk-trace" {
  import type { Tracer } from "@opentelemetry/api";
  import type { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
  import type { Resource } from "@opentelemetry/resources";

  export interface Sampler {
    toString(): string;
  }
  export class AlwaysOffSampler implements Sampler {}
  export class TraceIdRatioBasedSampler implements Sampler {
    constructor(ratio: number);
  }
  export class ParentBasedSampler implements Sampler {
    constructor(options: { root: Sampler });
  }
  export class BatchSpanProcessor {
    constructor(options: { exporter: OTLPTraceExporter; exportTimeoutMillis: number });
  }
  export class TracerProvider {
    constructor(options: { sampler: Sampler; resource: Resource; spanProcessors: BatchSpanProcessor[] });
    getTracer(name: string): Tracer;
    shutdown(): Promise<void>;
  }
}

import type { CelSchema } from "../cel/schema/cel-schema.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { MergeType } from "../contract/merge-schema.ts";
import type { TypeRef, TypeSource } from "../contract/type-table.ts";
import type { Steps } from "../lib/in-turns.ts";
import { emptyObject } from "./absent-value.ts";
import { CelSchemas } from "./cel-schema.ts";
import { DecoderCompiler } from "./decode.ts";
import { ProtobufDecoderCompiler } from "./decode-protobuf.ts";
import { DefaulterCompiler } from "./defaults.ts";
import { ProtobufEncoderCompiler } from "./encode-protobuf.ts";
import { GatedFieldCompiler, type IsEnabled } from "./gated-fields.ts";
import { MergeTypes } from "./merge-type.ts";
import { lazy, Shapes, type StructShape } from "./shape.ts";
import { sortMapsSteps } from "./sort-maps.ts";
import type { ProtobufTranscoder } from "./transcode-protobuf.ts";
import type { CanonicalOptions, DecodeOptions, PlainObject, Schemas, TypeSchema } from "./type-schema.ts";
import { isOutsideKubernetes, ValidatorCompiler, type ValidatorOptions } from "./validate.ts";
import { embeddedCheck } from "./validate-embedded.ts";

export interface SchemasOptions extends ValidatorOptions {
  /** Returns whether errors of a type name fields and expected types. If not, they name Go structs, as for kinds of Kubernetes. */
  readonly tellsByField?: (type: TypeRef) => boolean;
  /** Whether the defaults of fields with this feature gate are set. If absent, all are set. */
  readonly isEnabled?: IsEnabled;
}

/** Compiles type tables into the functions that the server needs for each type. Each part of a type is compiled on first use. */
export function createSchemas(source: TypeSource, options: SchemasOptions = {}): Schemas {
  const encoders = new ProtobufEncoderCompiler();
  const shapes = new Shapes(source);
  const compilers = {
    shapes,
    decoders: new DecoderCompiler(),
    defaulters: new DefaulterCompiler(options.isEnabled ?? (() => true)),
    gatedFields: new GatedFieldCompiler(),
    validators: new ValidatorCompiler(source, { checkEmbedded: (value) => checkEmbedded()(value), ...options }),
    encoders,
    loadTranscoders: lazy(async () => new (await import("./transcode-protobuf.ts")).ProtobufTranscoder(encoders)),
    readers: new ProtobufDecoderCompiler(),
    mergeTypes: new MergeTypes(
      (module) => isOutsideKubernetes(source.module(module)),
      () => shapes.struct("meta/v1.ObjectMeta"),
    ),
    celSchemas: new CelSchemas(),
  };
  const known = new Map<TypeRef, TypeSchema>();
  const schemas: Schemas = {
    of<T extends object>(ref: TypeRef): TypeSchema<T> {
      let schema = known.get(ref);
      if (schema === undefined) {
        schema = new CompiledSchema(ref, compilers.shapes.struct(ref), compilers, options.tellsByField?.(ref) === true);
        known.set(ref, schema);
      }
      return schema as TypeSchema<object> as TypeSchema<T>;
    },
  };
  const checkEmbedded = lazy(() => embeddedCheck(schemas.of("meta/v1.ObjectMeta")));
  return schemas;
}

interface Compilers {
  readonly decoders: DecoderCompiler;
  readonly defaulters: DefaulterCompiler;
  readonly gatedFields: GatedFieldCompiler;
  readonly validators: ValidatorCompiler;
  readonly encoders: ProtobufEncoderCompiler;
  readonly readers: ProtobufDecoderCompiler;
  readonly loadTranscoders: () => Promise<ProtobufTranscoder>;
  readonly mergeTypes: MergeTypes;
  readonly celSchemas: CelSchemas;
}

class CompiledSchema implements TypeSchema {
  readonly ref: TypeRef;
  readonly tellsByField: boolean;
  readonly #shape: StructShape;
  readonly #decode: () => (value: unknown, options?: DecodeOptions) => PlainObject;
  readonly #default: () => (object: PlainObject) => void;
  readonly #dropDisabled: () => ReturnType<GatedFieldCompiler["of"]>;
  readonly #validate: () => (object: PlainObject, old: PlainObject | undefined) => FieldError[];
  readonly #encode: () => (object: PlainObject) => Buffer;
  readonly #encodeSteps: () => (object: PlainObject) => Steps<Buffer>;
  readonly #loadTranscoders: () => Promise<ProtobufTranscoder>;
  #transcode: ((json: Buffer) => Buffer | undefined) | undefined;
  readonly #read: () => (bytes: Uint8Array) => PlainObject;
  readonly #readSteps: () => (bytes: Uint8Array) => Steps<PlainObject>;
  readonly #mergeType: () => MergeType;
  readonly #celSchema: () => CelSchema;

  constructor(ref: TypeRef, shape: StructShape, compilers: Compilers, tellsByField: boolean) {
    this.ref = ref;
    this.tellsByField = tellsByField;
    this.#shape = shape;
    this.#decode = lazy(() => compilers.decoders.document(shape, tellsByField));
    this.#default = lazy(() => compilers.defaulters.of(shape));
    this.#dropDisabled = lazy(() => compilers.gatedFields.of(shape));
    this.#validate = lazy(() => compilers.validators.document(shape));
    this.#encode = lazy(() => compilers.encoders.message(shape));
    this.#encodeSteps = lazy(() => compilers.encoders.messageSteps(shape));
    this.#loadTranscoders = compilers.loadTranscoders;
    this.#read = lazy(() => compilers.readers.message(shape));
    this.#readSteps = lazy(() => compilers.readers.messageSteps(shape));
    this.#mergeType = lazy(() => compilers.mergeTypes.of(shape));
    this.#celSchema = lazy(() => compilers.celSchemas.of(shape));
  }

  decode(value: unknown, options?: DecodeOptions): PlainObject {
    return this.#decode()(value, options);
  }

  *decodeSteps(value: unknown, options?: DecodeOptions): Steps<PlainObject> {
    const prepared = yield* sortMapsSteps(this.#shape, value, options);
    yield;
    return this.decode(prepared.value, prepared.options);
  }

  canonicalize(object: PlainObject, options?: CanonicalOptions): PlainObject {
    return this.#decode()(object, options);
  }

  canonicalizeSteps(object: PlainObject, options?: CanonicalOptions): Steps<PlainObject> {
    return this.decodeSteps(object, options);
  }

  emptyObject(): PlainObject {
    return emptyObject(this.#shape);
  }

  applyDefaults(object: PlainObject): void {
    this.#default()(object);
  }

  dropDisabledFields(object: PlainObject, old: PlainObject | undefined, isEnabled: (gate: string) => boolean): void {
    this.#dropDisabled()(object, old, isEnabled);
  }

  validate(object: PlainObject): FieldError[] {
    return this.#validate()(object, undefined);
  }

  validateUpdate(object: PlainObject, old: PlainObject): FieldError[] {
    return this.#validate()(object, old);
  }

  encodeProtobuf(object: PlainObject): Buffer {
    return this.#encode()(object);
  }

  encodeProtobufSteps(object: PlainObject): Steps<Buffer> {
    return this.#encodeSteps()(object);
  }

  async loadTranscoder(): Promise<(json: Buffer) => Buffer | undefined> {
    this.#transcode ??= (await this.#loadTranscoders()).message(this.#shape);
    return this.#transcode;
  }

  decodeProtobuf(bytes: Uint8Array): PlainObject {
    return this.#read()(bytes);
  }

  decodeProtobufSteps(bytes: Uint8Array): Steps<PlainObject> {
    return this.#readSteps()(bytes);
  }

  get mergeType(): MergeType {
    return this.#mergeType();
  }

  get celSchema(): CelSchema {
    return this.#celSchema();
  }
}

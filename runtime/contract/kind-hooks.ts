import type { FieldError } from "./field-error.ts";

/** A kind whose objects hooks can read: the value that `kind<T>()` returned in its definition. */
export interface ReadableKind<T = unknown> {
  readonly schema?: T;
}

/** Reads objects of one kind, in the version in which the kind was declared. The objects are shared with the server: do not change them. */
export interface KindReader<T> {
  /** Returns the object as last stored, or undefined. Pass undefined as the namespace of a cluster-scoped kind. */
  get(namespace: string | undefined, name: string): Promise<Readonly<T> | undefined>;
  /** All objects, or those of one namespace. */
  list(namespace?: string): Promise<readonly Readonly<T>[]>;
}

/** The type of the objects of a readable kind. */
export type ObjectOf<Kind> = Kind extends ReadableKind<infer T> ? T : never;

/** The request, as hooks see it. `T` is the kind of the hooks, `Reads` the kinds that they may read. Contains nothing about HTTP. */
export interface HookContext<T = unknown, Reads = never> {
  /** The stored object that an update changes; undefined on creation. */
  readonly old: T | undefined;
  readonly now: () => Date;
  readonly newUid: () => string;
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** `status`, `scale` and so on. Undefined for requests to the object itself. */
  readonly subresource: string | undefined;
  /** `group/version` of the request, which may differ from the version of the hooks. */
  readonly apiVersion: string;
  /** The Kubernetes release whose API is served, such as `1.33`. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  /** Whether privileged containers are allowed (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  /** Adds a `Warning` header to the response. Warnings about the object itself are returned by `warn`. */
  readonly warn: (message: string) => void;
  /** Called if declared rules and the same rules in `compatibility.validateByHand` have different results. */
  readonly onMismatch?: (problem: string) => void;
  /** Reads objects of a kind that is listed in `reads`. Throws a RangeError for other kinds. */
  readonly read: <Kind extends Reads>(kind: Kind) => KindReader<ObjectOf<Kind>>;
}

/** The settings of a request that decide which functions new CEL expressions may use. */
export type ExpressionRules = Pick<HookContext, "release" | "featureEnabled">;

/** Hooks that read other objects may be asynchronous. All others are synchronous, which keeps writes fast. */
export type Result<Value, Reads> = [Reads] extends [never] ? Value : Value | Promise<Value>;

/** Properties of the server that hooks for defaults can use. */
export interface DefaultContext {
  /**
   * Whether a feature gate is on. Pass a string literal: the generator records the gates on which the defaults of a kind depend, so that objects
   * that were stored with other settings of these gates are completed when they are read.
   */
  readonly featureEnabled: (gate: string) => boolean;
  /** The IP family of the first range of `--service-cluster-ip-range`. */
  readonly primaryIpFamily: "IPv4" | "IPv6";
}

/** Cells of a table row, by the name of the column. */
export interface Cells {
  readonly [column: string]: unknown;
}

/** Context of hooks for tables. */
export interface TableContext {
  readonly now: () => Date;
}

/**
 * Rules of a kind that cannot be declared, in `<kind>.hooks.ts` beside its definition:
 *
 *     export const hooks = kindHooks<Book>({
 *       default(book) { book.spec.sortTitle ??= book.spec.title.toLowerCase(); },
 *       validate: (book, { old }) => …,
 *     });
 *
 * Most kinds need only the first five members. The members after them are mainly for Kubernetes' own kinds. Objects are plain values of the
 * stored version; only hooks in `default` and `defaults` receive the version beside which they are declared. A hook without a result
 * changes the object that it receives.
 */
export interface KindHooks<T, Reads = never> {
  /** Sets computed defaults. Called after the declared defaults, on every decode of this version. Must be idempotent. */
  readonly default?: (object: T, context: DefaultContext) => void;
  /** Returns the errors of an object. Called on every creation and update, after the declared rules; on updates with `context.old`. */
  readonly validate?: (object: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  /** Returns warnings for the client. Called on every valid creation and update; on updates with `context.old`. */
  readonly warn?: (object: T, context: HookContext<T, Reads>) => Result<string[], Reads>;
  /**
   * Completes or resets fields before validation, such as those that clients may not set. Called on every creation and update, after
   * mutating admission; on updates with `context.old`. The server handles `status` and `metadata.generation` itself.
   */
  readonly prepare?: (object: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** Returns cells of a table row: of columns without a path, and where the cell differs from the value at its path. Called for each row shown. */
  readonly cells?: (object: T, context: TableContext) => Cells;
  /** The kinds that `context.read` may read. */
  readonly reads?: readonly Reads[];
  readonly defaults?: DefaultHooks<T>;
  readonly validation?: ValidationHooks<T, Reads>;
  readonly lifecycle?: LifecycleHooks<T, Reads>;
  readonly table?: TableHooks<T>;
  readonly compatibility?: CompatibilityHooks<T>;
}

/** Defaulting hooks in addition to `default`. */
export interface DefaultHooks<T> {
  /** Sets timestamps that default to the time of the request. Called after `default`, only on objects that clients write. */
  readonly times?: (object: T, now: () => Date) => void;
  /** Completes or corrects values that an earlier version may have stored. Called after `default`, only on objects that are read from the store. */
  readonly stored?: (object: T, context: DefaultContext) => void;
}

/** Validation hooks in addition to `validate`. */
export interface ValidationHooks<T, Reads = never> {
  /** Returns the errors of a name, or of a `generateName` if `isPrefix` is set. By default, names must be DNS subdomains. */
  readonly name?: (name: string, isPrefix: boolean) => string[];
  /** Returns the errors of an update. Called instead of `validate` on updates, unless `compatibility.order` lists both. */
  readonly update?: (object: T, old: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  /** Return the errors of an update through a subresource, by its name. Called instead of `update` and `validate`. */
  readonly subresources?: {
    readonly [subresource: string]: (object: T, old: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  };
}

/** Hooks for the creation, update and deletion of an object. */
export interface LifecycleHooks<T, Reads = never> {
  /** Like `prepare`, and called after it, on creation only. */
  readonly prepareForCreate?: (object: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** Like `prepare`, and called after it, on updates only. */
  readonly prepareForUpdate?: (object: T, old: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** Whether clients may set the status of new objects. By default the server resets it. */
  readonly acceptsStatusOnCreate?: boolean;
  /** Whether updates of the object itself may change its status. By default only updates of the subresource `status` do. */
  readonly acceptsStatusOnUpdate?: boolean;
  /**
   * Fields, as dotted paths, that a request through a subresource (`""`: the resource itself) cannot set, and that its field manager therefore
   * does not own. By default the resource resets `status`, and `status` resets everything except itself and metadata.
   */
  readonly resetFields?: { readonly [subresource: string]: readonly string[] };
  /** Whether an update increases metadata.generation. By default every change outside metadata and status does. */
  readonly raisesGeneration?: (object: T, old: T) => boolean;
  /**
   * Returns the seconds between the delete request and the removal of an object, for example for the kubelet to stop a pod. Undefined (the default)
   * removes the object immediately. `requested` is gracePeriodSeconds of the request.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined;
  /** Changes an object whose deletionTimestamp is being set, for example its phase. */
  readonly markDeleting?: (object: T) => void;
  /** Whether a deleted object must remain for reasons other than `metadata.finalizers`. Called on every delete request. */
  readonly holdsDeletion?: (object: T) => boolean;
  /** What a delete request without propagationPolicy does to dependents. Kinds with `unsupported` never have dependents. Default: `delete`. */
  readonly dependents?: "delete" | "orphan" | "unsupported";
  /** Returns warnings about the options of a delete request. Called whether or not the object exists. */
  readonly deletionWarnings?: (options: {
    readonly propagationPolicy?: string;
    readonly orphanDependents?: boolean;
  }) => string[];
}

/** Hooks for lists, in addition to `cells`. */
export interface TableHooks<T> {
  /** Returns the conditions of the object's table row, such as `Completed`. */
  readonly rowConditions?: (
    object: T,
  ) => { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
  /** Returns the sort key of rows: lists are sorted by this number, then by name. By default they are sorted by name. */
  readonly rank?: (object: T) => number;
  /** Return the values of selectable fields that are not plain paths, by name of the field. Called when an object is stored or loaded. */
  readonly selectable?: { readonly [field: string]: (object: T) => string };
}

/**
 * One of the checks of a write; clients see the errors of all checks in the order in which they are listed.
 *
 * | check              | what it checks                                                                              |
 * | ------------------ | ------------------------------------------------------------------------------------------- |
 * | `metadataAsNew`    | metadata, by the rules for new objects                                                      |
 * | `metadataAsChange` | metadata, by the rules for updates                                                          |
 * | `declared`         | the declared rules of the kind                                                              |
 * | `validate`         | the hook `validate`                                                                         |
 * | `update`           | the hook for the subresource, else `validation.update`, else `validate`: the first there is |
 */
export type CheckName = "metadataAsNew" | "metadataAsChange" | "declared" | "validate" | "update";

/** A check by name, or a function that is called at its position in the order. Returns a promise only if the check takes long. */
export type CreateCheck<T> = CheckName | ((object: T, context: HookContext<T>) => FieldError[]);
export type UpdateCheck<T> =
  | CheckName
  | ((object: T, old: T, context: HookContext<T>) => FieldError[] | Promise<FieldError[]>);

/** The checks of an update, or a function that chooses them. */
export type UpdateOrder<T> =
  | readonly UpdateCheck<T>[]
  | ((object: T, old: T, context: HookContext<T>) => readonly UpdateCheck<T>[]);

/**
 * Which checks run, and in which order: Kubernetes repeats some of them and skips others. Checks that are the same for all kinds run before the
 * list. A check that is listed twice reports its errors twice.
 */
export interface CheckOrder<T> {
  /** Creation, after metadata. Default: `declared`, `validate`. */
  readonly create?: (object: T, context: HookContext<T>) => readonly CreateCheck<T>[];
  /** Updates of the object itself. Default: `metadataAsNew`, `metadataAsChange`, `declared`, `update`. */
  readonly update?: UpdateOrder<T>;
  /**
   * Updates through a subresource, by its name; `*` is any other. Default: `metadataAsChange`, `declared`, `update`. Subresources without their
   * own hook use the order of `update`, if it is set.
   */
  readonly subresources?: { readonly [subresource: string]: UpdateOrder<T> };
  /**
   * Paths of fields whose declared rules are reported among the errors of `validate` and `update`, not at the position of `declared`: errors of
   * a field and of nested fields precede those that the hooks report for the same or a later field of this list. Fields in an inner list
   * share one position. Example: `["spec.template", ["spec.replicas", "spec.minReadySeconds"], "spec.selector"]`.
   */
  readonly fields?: readonly (string | readonly string[])[];
}

/** Peculiarities of Kubernetes' own kinds that clients can observe. New kinds need none of them. */
export interface CompatibilityHooks<T> {
  /** The order in which errors are reported. */
  readonly order?: CheckOrder<T>;
  /** Whether the metadata of new objects is validated last, and only if there are no other errors. */
  readonly checksMetadataLast?: boolean;
  /** Repeats the declared rules by hand. While the gate DeclarativeValidation is on, both are evaluated and compared. */
  readonly validateByHand?: (object: T, old: T | undefined) => FieldError[];
  /** The fields that `validateByHand` validates. All fields by default. */
  readonly fieldsByHand?: readonly string[];
  /** Whether `generateName` is the complete name of a new object: no suffix is appended. */
  readonly wholeGenerateName?: boolean;
  /** Whether finalizers may have names without a domain. */
  readonly freeFinalizers?: boolean;
  /** Whether setting fields of disabled features increases the generation, although these fields are dropped. */
  readonly countsDroppedFields?: boolean;
  /** Whether failed preconditions of a deletion have the error messages of the few kinds whose deletion is implemented separately. */
  readonly ownDeletion?: boolean;
  /** Returns the error message for a field selector with an unknown field, if it differs from that of other kinds. */
  readonly unknownField?: (field: string, apiVersion: string) => string;
  /** Former names of fields that selectors still support, with the names that replaced them. */
  readonly formerFields?: Readonly<Record<string, string>>;
  /** Whether applying to the status of an object that does not exist creates the object. */
  readonly createdByStatus?: boolean;
  /** Annotations that represent fields in this version only. PartialObjectMetadata omits them. */
  readonly versionAnnotations?: readonly string[];
  /** Returns the reason why Kubernetes cannot convert an object to its internal version, or undefined. Such an object is not decoded. */
  readonly unconvertible?: (object: T) => string | undefined;
  /** Fields with raw JSON whose text is compared in updates. The text is stored beside the object. */
  readonly rawTexts?: readonly string[];
  /**
   * Whether a new object is stored without a field that every read sets. Its first update then writes the object, even if the update changes
   * nothing.
   */
  readonly completedOnReading?: (object: T) => boolean;
  /** Sets that field in a new object, after validation and validating admission, which do not see it. */
  readonly completeNew?: (object: T) => void;
  /** Completes the object of a bookmark, in any version: fields that Kubernetes' internal type of the kind always has. */
  readonly bookmark?: (object: T) => void;
  /** Whether lists with `resourceVersion=0` respect the limit. For most kinds, Kubernetes serves them from a watch cache that ignores the limit. */
  readonly limitsListsOfAnyVersion?: boolean;
  /** Returns cells after those of the columns: in Kubernetes, some rows have more cells than their table has columns. */
  readonly moreCells?: (object: T, context: TableContext) => readonly unknown[];
}

/** Declares the hooks of a kind: `export const hooks = kindHooks<Book>({ … })`, or `kindHooks<Book, typeof shelf>({ reads: [shelf], … })`. */
export function kindHooks<T, Reads = never>(hooks: KindHooks<T, Reads>): KindHooks<T, Reads> {
  return hooks;
}

import type { FieldError } from "./field-error.ts";

/** A kind as hooks name it to read its objects: what `kind<T>()` returned in its definition. */
export interface ReadableKind<T = unknown> {
  readonly schema?: T;
}

/** Reads objects of one kind, in the version that the kind was declared in. The objects are shared with the server: do not change them. */
export interface KindReader<T> {
  /** The object as last stored; undefined where there is none. The namespace of a cluster-scoped kind is undefined. */
  get(namespace: string | undefined, name: string): Promise<Readonly<T> | undefined>;
  /** All objects, or those of one namespace. */
  list(namespace?: string): Promise<readonly Readonly<T>[]>;
}

/** The type of the objects of a readable kind. */
export type ObjectOf<Kind> = Kind extends ReadableKind<infer T> ? T : never;

/**
 * What a hook knows about the request. `T` is the kind of the hooks, `Reads` the kinds that they may read.
 * Hooks know nothing about HTTP.
 */
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
  /** `status`, `scale` …; undefined for requests to the object itself. */
  readonly subresource: string | undefined;
  /** `group/version` of the request, which may differ from the version of the hooks. */
  readonly apiVersion: string;
  /** The Kubernetes release whose API is served, `1.33`. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  /** Whether privileged containers are allowed (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  /** Adds a `Warning` header to the response. Warnings about the object itself are returned by `warn`. */
  readonly warn: (message: string) => void;
  /** Called when declared rules and the same rules in `compatibility.validateByHand` disagree. */
  readonly onMismatch?: (problem: string) => void;
  /** Reads objects of a kind that is listed in `reads`. Throws a RangeError for a kind that is not. */
  readonly read: <Kind extends Reads>(kind: Kind) => KindReader<ObjectOf<Kind>>;
}

/** The settings of a request that decide which functions new CEL expressions may use. */
export type ExpressionRules = Pick<HookContext, "release" | "featureEnabled">;

/** Hooks that read other objects may be asynchronous; all others are synchronous, which keeps writes fast. */
export type Result<Value, Reads> = [Reads] extends [never] ? Value : Value | Promise<Value>;

/** What hooks for defaults know about the server. */
export interface DefaultContext {
  /**
   * Takes a string literal: the generator records which gates the defaults of a kind depend on, so that objects that were stored while
   * they were set otherwise are completed when they are read.
   */
  readonly featureEnabled: (gate: string) => boolean;
  /** That of the first range of `--service-cluster-ip-range`. */
  readonly primaryIpFamily: "IPv4" | "IPv6";
}

/** Cells of a table row, by the name of the column. */
export interface Cells {
  readonly [column: string]: unknown;
}

/** What a hook for tables knows about the request. */
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
 * The first five members are all that most kinds need. The parts below them hold what Kubernetes' own kinds need besides.
 * Objects are plain values of the stored version; only hooks of `default` and `defaults` are given the version they stand beside.
 * A hook that returns nothing changes the object it is given.
 */
export interface KindHooks<T, Reads = never> {
  /** Sets computed defaults. Called after the declared defaults, on every decode of this version; calling it twice must change nothing. */
  readonly default?: (object: T, context: DefaultContext) => void;
  /** Returns what is wrong with an object. Called on every creation and update, after the declared rules; on updates with `context.old`. */
  readonly validate?: (object: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  /** Returns warnings for the client. Called on every creation and update that is valid; on updates with `context.old`. */
  readonly warn?: (object: T, context: HookContext<T, Reads>) => Result<string[], Reads>;
  /**
   * Completes or resets fields before validation, such as those that clients may not set. Called on every creation and update, after
   * mutating admission; on updates with `context.old`. The server handles `status` and `metadata.generation` itself.
   */
  readonly prepare?: (object: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** Returns the cells of a table row: those of columns without a path, and those that differ from their path. Called for each row shown. */
  readonly cells?: (object: T, context: TableContext) => Cells;
  /** The kinds that `context.read` may read. */
  readonly reads?: readonly Reads[];
  readonly defaults?: DefaultHooks<T>;
  readonly validation?: ValidationHooks<T, Reads>;
  readonly lifecycle?: LifecycleHooks<T, Reads>;
  readonly table?: TableHooks<T>;
  readonly compatibility?: CompatibilityHooks<T>;
}

/** Defaults besides `default`. */
export interface DefaultHooks<T> {
  /** Sets timestamps that default to the time of the request. Called after `default`, on objects that clients write only. */
  readonly times?: (object: T, now: () => Date) => void;
  /** Completes or corrects what an earlier version may have stored. Called after `default`, on objects that are read from the store only. */
  readonly stored?: (object: T, context: DefaultContext) => void;
}

/** Validation besides `validate`. */
export interface ValidationHooks<T, Reads = never> {
  /** Returns what is wrong with a name, or with a `generateName` if `isPrefix`. The default requires a DNS subdomain. */
  readonly name?: (name: string, isPrefix: boolean) => string[];
  /** Returns what is wrong with an update. Called on updates instead of `validate`, unless `compatibility.order` lists both. */
  readonly update?: (object: T, old: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  /** Returns what is wrong with an update through a subresource, by its name. Called instead of `update` and `validate`. */
  readonly subresources?: {
    readonly [subresource: string]: (object: T, old: T, context: HookContext<T, Reads>) => Result<FieldError[], Reads>;
  };
}

/** What happens to an object when it is created, updated and deleted. */
export interface LifecycleHooks<T, Reads = never> {
  /** As `prepare`, and after it, on creation only. */
  readonly prepareForCreate?: (object: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** As `prepare`, and after it, on updates only. */
  readonly prepareForUpdate?: (object: T, old: T, context: HookContext<T, Reads>) => Result<void, Reads>;
  /** Clients may set the status of new objects. By default the server resets it. */
  readonly acceptsStatusOnCreate?: boolean;
  /** Updates of the object itself may change its status. By default only those of the subresource `status` do. */
  readonly acceptsStatusOnUpdate?: boolean;
  /**
   * Fields that a request through a subresource (`""`: the resource itself) cannot set, and that its field manager therefore does not
   * own, as dotted paths. By default the resource resets `status`, and `status` resets everything but itself and metadata.
   */
  readonly resetFields?: { readonly [subresource: string]: readonly string[] };
  /** Whether an update increases metadata.generation. By default every change outside metadata and status does. */
  readonly raisesGeneration?: (object: T, old: T) => boolean;
  /**
   * Seconds between the delete request and the removal of an object, such as for the kubelet to stop a pod. Undefined, the default,
   * removes it at once. `requested` is gracePeriodSeconds of the request.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined;
  /** Changes an object whose deletionTimestamp is being set, such as its phase. */
  readonly markDeleting?: (object: T) => void;
  /** Whether a deleted object must remain for reasons other than `metadata.finalizers`. Called on every delete request. */
  readonly holdsDeletion?: (object: T) => boolean;
  /** What a delete request without propagationPolicy does to dependents; `unsupported` kinds never have any. Default: `delete`. */
  readonly dependents?: "delete" | "orphan" | "unsupported";
  /** Returns warnings about the options of a delete request. Called whether or not there is an object. */
  readonly deletionWarnings?: (options: {
    readonly propagationPolicy?: string;
    readonly orphanDependents?: boolean;
  }) => string[];
}

/** How objects are listed, besides `cells`. */
export interface TableHooks<T> {
  /** Conditions of the object's table row, such as `Completed`. */
  readonly rowConditions?: (
    object: T,
  ) => { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
  /** Rows of a list are sorted by this number, and then by name. They are in the order of names by default. */
  readonly rank?: (object: T) => number;
  /** Values of selectable fields that are not plain paths, by the name of the field. Called when an object is stored or loaded. */
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

/** A check by name, or a function that is called in its place in the order; a promise only where the check takes long. */
export type CreateCheck<T> = CheckName | ((object: T, context: HookContext<T>) => FieldError[]);
export type UpdateCheck<T> =
  | CheckName
  | ((object: T, old: T, context: HookContext<T>) => FieldError[] | Promise<FieldError[]>);

/** The checks of an update, or a function that chooses them. */
export type UpdateOrder<T> =
  | readonly UpdateCheck<T>[]
  | ((object: T, old: T, context: HookContext<T>) => readonly UpdateCheck<T>[]);

/**
 * Which checks run, in which order: Kubernetes repeats some of them and skips others. What is checked for all kinds alike precedes the
 * list. A check that is listed twice reports its errors twice.
 */
export interface CheckOrder<T> {
  /** Creation, after metadata. Default: `declared`, `validate`. */
  readonly create?: (object: T, context: HookContext<T>) => readonly CreateCheck<T>[];
  /** Updates of the object itself. Default: `metadataAsNew`, `metadataAsChange`, `declared`, `update`. */
  readonly update?: UpdateOrder<T>;
  /**
   * Updates through a subresource, by its name; `*` is any other. Default: `metadataAsChange`, `declared`, `update`; for subresources
   * without a hook of their own the order of `update`, where there is one.
   */
  readonly subresources?: { readonly [subresource: string]: UpdateOrder<T> };
  /**
   * Paths of fields whose declared rules are reported among the errors of `validate` and `update`, not where `declared` stands:
   * errors of a field, and of what is below it, precede those that the hooks report for the same or a later field of this list. Fields in
   * one inner list have one place. Example: `["spec.template", ["spec.replicas", "spec.minReadySeconds"], "spec.selector"]`.
   */
  readonly fields?: readonly (string | readonly string[])[];
}

/** Peculiarities of Kubernetes' own kinds that clients can observe. New kinds need none of them. */
export interface CompatibilityHooks<T> {
  /** The order in which errors are reported. */
  readonly order?: CheckOrder<T>;
  /** The metadata of new objects is checked last, and only where nothing else is wrong. */
  readonly checksMetadataLast?: boolean;
  /** The declared rules once more, by hand: both run and are compared while the gate DeclarativeValidation is on. */
  readonly validateByHand?: (object: T, old: T | undefined) => FieldError[];
  /** The fields that `validateByHand` checks; all fields by default. */
  readonly fieldsByHand?: readonly string[];
  /** `generateName` is the whole name of a new object: no suffix is appended. */
  readonly wholeGenerateName?: boolean;
  /** Finalizers may have names without a domain. */
  readonly freeFinalizers?: boolean;
  /** Setting fields of disabled features increases the generation, although they are dropped. */
  readonly countsDroppedFields?: boolean;
  /** Failed preconditions of a deletion have the error messages of the few kinds whose deletion is implemented separately. */
  readonly ownDeletion?: boolean;
  /** The error message for a field selector with an unknown field, where it differs from that of other kinds. */
  readonly unknownField?: (field: string, apiVersion: string) => string;
  /** Former names of fields that selectors still support, with the names that replaced them. */
  readonly formerFields?: Readonly<Record<string, string>>;
  /** Applying to the status of an object that does not exist creates it. */
  readonly createdByStatus?: boolean;
  /** Annotations that stand for fields in this version only: PartialObjectMetadata omits them. */
  readonly versionAnnotations?: readonly string[];
  /** Why Kubernetes cannot convert an object to its internal version; undefined where it can. Such an object is not decoded. */
  readonly unconvertible?: (object: T) => string | undefined;
  /** Fields with raw JSON whose text is compared in updates: the text is kept beside the object. */
  readonly rawTexts?: readonly string[];
  /**
   * Whether a new object is stored without a field that every read sets: the first update after its creation then writes, even if it
   * changes nothing.
   */
  readonly completedOnReading?: (object: T) => boolean;
  /** Lists with `resourceVersion=0` have a limit, as others do: Kubernetes has no watch cache of this kind, which would ignore the limit. */
  readonly limitsListsOfAnyVersion?: boolean;
  /** Cells after those of the columns: some rows of Kubernetes are longer than their table is wide. */
  readonly moreCells?: (object: T, context: TableContext) => readonly unknown[];
}

/** Declares the hooks of a kind: `export const hooks = kindHooks<Book>({ … })`, or `kindHooks<Book, typeof shelf>({ reads: [shelf], … })`. */
export function kindHooks<T, Reads = never>(hooks: KindHooks<T, Reads>): KindHooks<T, Reads> {
  return hooks;
}

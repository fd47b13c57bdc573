import type { FieldError } from "./field-error.ts";

/** What a hook may know of the request; never the HTTP of it. */
export interface HookContext {
  readonly now: () => Date;
  readonly newUid: () => string;
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  /** The version the request speaks, `group/version`: a few kinds are checked by the rules of theirs. */
  readonly apiVersion: string;
  /** The release whose API is served, `1.33`. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  /** Whether containers may run as if they were the host. */
  readonly allowPrivileged: boolean;
  /** Adds a `Warning` header to the answer; for what only preparation sees, as warnings of the object have `warnings`. */
  readonly warn: (message: string) => void;
  /** Told when declared rules and the same rules by hand disagree. */
  readonly onMismatch?: (problem: string) => void;
}

/** What decides which words new expressions may use: the release, and the gate `AuthorizeWithSelectors`. */
export type ExpressionRules = Pick<HookContext, "release" | "featureEnabled">;

/**
 * How often Kubernetes checks an update of a kind, and hence tells what is wrong: clients see every telling. Updates
 * through subresources are by default checked as a change only.
 */
export interface UpdateChecks {
  /** Metadata as that of a new object; 1 by default. */
  readonly asNew?: 0 | 1 | 2;
  /** Metadata as a change of what was; 1 by default. */
  readonly asChange?: 0 | 1;
}

/**
 * What cannot be declared about a kind, as small typed functions beside its definition (`<kind>.hooks.ts` exporting
 * `hooks`), wired in by the generator by name. Objects are canonical plain values of the version the hooks stand beside; a hook may
 * change the object it is given where it returns nothing. `validate*` run on the storage version.
 */
export interface KindHooks<T> {
  /** Fills in computed defaults, after the declared ones. Idempotent. Runs on every decode of that version. */
  readonly defaults?: (object: T) => void;
  /** Fills in times that are those of the writing where the writer gave none. Runs after `defaults`, on what is written only. */
  readonly defaultTimes?: (object: T, now: () => Date) => void;
  /** Before creation: resets what writers may not set (status …). */
  readonly prepareForCreate?: (object: T, context: HookContext) => void;
  /** New objects may come with a status; by default it is for others to set. */
  readonly acceptsStatusOnCreate?: boolean;
  /** Updates of the object itself may change its status; by default only those of the status do. */
  readonly acceptsStatusOnUpdate?: boolean;
  /** Before an update: keeps what this request may not change; `generation` is handled by the server. */
  readonly prepareForUpdate?: (object: T, old: T, context: HookContext) => void;
  readonly validate?: (object: T, context: HookContext) => FieldError[];
  /** The declared rules once more, by hand: run beside them and compared until they are trusted. */
  readonly validateByHand?: (object: T, old: T | undefined) => FieldError[];
  /** The fields that `validateByHand` speaks for; of all others the declared rules do. */
  readonly fieldsByHand?: readonly string[];
  /** Runs instead of `validate` on updates, where there is one. Stand-ins (`update-order.ts`) say when the rest is told. */
  readonly validateUpdate?: (object: T, old: T, context: HookContext) => FieldError[];
  /** Updates through a subresource, where they differ from `validateUpdate`. */
  readonly validateSubresource?: {
    readonly [subresource: string]: (object: T, old: T, context: HookContext) => FieldError[];
  };
  readonly warnings?: (object: T, old: T | undefined, context: HookContext) => string[];
  /** Cells of the columns that have no path, by column name; also may override those that have. */
  readonly cells?: (object: T, context: { readonly now: () => Date }) => { readonly [column: string]: unknown };
  /** Cells beyond those of the columns: Kubernetes has rows that are longer than their table is wide. */
  readonly moreCells?: (object: T, context: { readonly now: () => Date }) => readonly unknown[];
  /** Conditions of the object's table row, such as `Completed`. */
  readonly rowConditions?: (
    object: T,
  ) => { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
  /** Values of selectable fields that are not plain paths. */
  readonly selectable?: { readonly [field: string]: (object: T) => string };
  /** Whether a change between two objects raises metadata.generation; default: anything outside metadata and status differs. */
  readonly raisesGeneration?: (object: T, old: T) => boolean;
  /** Setting fields of features that are off counts as a change, though nothing comes of it. */
  readonly countsDroppedFields?: boolean;
  /**
   * Seconds between the deletion of an object and its removal, by whoever runs it; undefined removes it at once. The
   * default does. `requested` is what the client asked for.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined;
  /** Marks an object that is being deleted in ways of its own (a phase), when its deletionTimestamp is set. */
  readonly markDeleting?: (object: T) => void;
  /** Whether a deleted object must stay for reasons other than `metadata.finalizers`. */
  readonly holdsDeletion?: (object: T) => boolean;
  /** Failed preconditions of a deletion are told in the words that Kubernetes has for the few kinds it deletes by code of their own. */
  readonly ownDeletion?: boolean;
  /** What to warn of when an object is to be deleted with these wishes, whether there is one or not. */
  readonly deletionWarnings?: (options: {
    readonly propagationPolicy?: string;
    readonly orphanDependents?: boolean;
  }) => string[];
  /** How a field selector is refused that names a field of this kind that is none; most kinds say the same. */
  readonly unknownField?: (field: string, apiVersion: string) => string;
  /** What a deletion that does not say it does to dependents; `unsupported` kinds never have any. Default: `delete`. */
  readonly dependents?: "delete" | "orphan" | "unsupported";
  /**
   * Fields that a request through a subresource (`""`: the resource itself) cannot set and hence cannot own, as dotted
   * paths. By default the resource resets `status`, and `status` resets everything but itself and metadata.
   */
  readonly resetFields?: { readonly [subresource: string]: readonly string[] };
  /** Applying to the status of an object that is not there creates it. */
  readonly createdByStatus?: boolean;
  /** Annotations that stand for fields in this version only: metadata shown by itself does without them. */
  readonly versionAnnotations?: readonly string[];
  /** Members that hold raw data whose very text counts, as it does where it may not change: it is kept beside the object. */
  readonly rawTexts?: readonly string[];
  /**
   * Whether a new object lies in the store without something that every reading fills in: the first write after its creation
   * then writes, even if it changes nothing.
   */
  readonly completedOnReading?: (object: T) => boolean;
  /** Finalizers need neither be the platform's own nor carry a domain. */
  readonly freeFinalizers?: boolean;
  /** How often updates are checked, where it is not once in every way; a function also speaks for subresources. */
  readonly updateChecks?: UpdateChecks | ((context: HookContext) => UpdateChecks);
  /** The metadata of new objects is looked at last, and only where nothing else is wrong. */
  readonly checksMetadataLast?: boolean;
  /** In changes, what the hooks refuse is told before what is declared. */
  readonly declaredLast?: boolean;
  /** Extra pattern for names: a function returning messages, DNS subdomain by default. */
  readonly validateName?: (name: string, generateName: boolean) => string[];
}

/** Typed helper so that a hooks file reads `export const hooks = hooksFor<Deployment>({ … })`. */
export function hooksFor<T>(hooks: KindHooks<T>): KindHooks<T> {
  return hooks;
}

/** Definitions of an independent project with one of every marker. Both servers that the tests compare serve them. */
export const GROUP = `import { group } from "../vocabulary.ts";
export const depot = group({ name: "depot.example.com", versions: ["v1", "v1beta1"] });
`;

export const CRATE = `import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Bytes, type Default, type Double, type Duration, type Format, type Immutable, type Int32, type Int64, type IntOrString,
  type Json, kind, type ListAtomic, type ListMap, type ListSet, type Maximum, type MaxItems, type MaxLength, type MaxProperties,
  type Minimum, type MinItems, type MinLength, type MinProperties, type OmitZero, type Pattern, type Quantity, type RawObject,
  type Rule, type Schema, type StructAtomic, type Time, type With,
} from "../../vocabulary.ts";

/** A crate that is stored in the depot. */
export interface Crate extends ClusterScoped, With<Rule<"self.metadata.name != 'forbidden'", "this name is reserved">> {
  /** Desired state of the crate. */
  spec: CrateSpec;
  /** Observed state of the crate. */
  status?: CrateStatus;
}

/** What is in the crate, and where it stands. */
export interface CrateSpec extends With<Rule<
  "!has(self.minimum) || !has(self.maximum) || self.minimum <= self.maximum",
  "minimum must not be above maximum",
  { fieldPath: ".minimum"; reason: "FieldValueForbidden" }
>> {
  /** Label on the crate. */
  label: string & MaxLength<20>;
  /** Number of items in the crate. */
  count: Int32 & Minimum<0> & Maximum<1000>;
  /** Whether the crate is locked. */
  locked: boolean;
  /** Size of the crate. Decides the shelf. */
  size?: Size & Default<"Medium">;
  /** Number of replicas of it. */
  replicas?: Int32 & Default<1>;
  /** Fewest items that are kept. */
  minimum?: Int64;
  /** Most items that are kept. */
  maximum?: Int64;
  /** Weight as a share. */
  share?: Double & Schema<{ minimum: 0; exclusiveMinimum: true; multipleOf: 0.5 }>;
  /** Shelf that it stands on. */
  shelf?: string & Immutable & Pattern<"^[A-Z][0-9]+$">;
  /** Owner of it, who never changes. */
  owner: string & Immutable & MinLength<1>;
  /** Name in the network. */
  host?: string & Format<"dns1123-label">;
  /** Address in the network. */
  address?: string & Format<"ip"> & MaxLength<64>;
  /** Port that it is reached at. */
  port?: IntOrString;
  /** Weight of the crate. */
  weight?: Quantity;
  /** Seal on the crate. */
  seal?: Bytes;
  /** When it was packed. */
  packedAt?: Time;
  /** How long it may stay. */
  stay?: Duration;
  /** Words that describe it. */
  tags?: ListSet<string> & MaxItems<3>;
  /** Parts of it, by name. */
  parts?: ListMap<Part, "name"> & MaxItems<4>;
  /** Codes on its sides. */
  codes?: ListAtomic<Code> & MaxItems<3>;
  /** Notes on it, by author. */
  notes?: { [author: string]: Note } & MaxProperties<2>;
  /** Where in the depot it is. */
  place?: StructAtomic<Place>;
  /** Anything else that is known. */
  extra?: Json;
  /** Object that is made of it. */
  object?: RawObject;
  /** Remark, where an empty one is none. */
  remark?: string & OmitZero;
  /** Template of pods that carry it. */
  template?: PodTemplateSpec;
}

export type Size = "Small" | "Medium" | "Large";
export type Code = string & MinLength<2> & MaxLength<4>;
export type Note = string & MaxLength<5>;

/** A part of a crate. */
export interface Part extends With<Schema<{ oneOf: [{ required: ["bolts"] }, { required: ["nails"] }] }>> {
  /** Name of the part. */
  name: string & MaxLength<10>;
  /** Number of bolts in it. */
  bolts?: Int32;
  /** Number of nails in it. */
  nails?: Int32;
  /** Material that it is made of. */
  material?: string & Default<"wood">;
  /** Serial number of the part. */
  serial?: Int32 & Rule<"self >= oldSelf", "must not go back">;
}

/** A place in the depot. */
export interface Place extends With<MinProperties<1> & Rule<"!has(self.row) || self.row != 13", "there is no row 13">> {
  /** Row of the place. */
  row?: Int32;
  /** Column of the place. */
  column?: Int32 & Default<7>;
}

/** What was observed of the crate. */
export interface CrateStatus {
  /** Number of replicas that exist. */
  replicas?: Int32;
  /** Selector of the replicas. */
  selector?: string;
}

export const crate = kind<Crate>({
  plural: "crates",
  shortNames: ["cr8"],
  categories: ["all"],
  introduced: "1.33",
  storage: true,
  subresources: {
    status: true,
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
  },
  selectableFields: ["spec.label"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the crate." },
    { name: "Label", type: "string", path: ".spec.label", description: "Label of the crate." },
    { name: "Count", type: "integer", path: ".spec.count", description: "Number of items.", priority: 1 },
    { name: "Locked", type: "boolean", path: ".spec.locked", description: "Whether it is locked." },
    { name: "Age", type: "string", description: "Time since it was created." },
  ],
});
`;

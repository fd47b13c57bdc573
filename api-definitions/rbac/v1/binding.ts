import type { AtomicStruct, OmitZero } from "../../vocabulary.ts";

export interface RoleRef extends AtomicStruct {
  apiGroup: string;
  kind: string;
  name: string;
}

export interface Subject extends AtomicStruct {
  kind: string;
  apiGroup?: string & OmitZero;
  name: string;
  namespace?: string & OmitZero;
}

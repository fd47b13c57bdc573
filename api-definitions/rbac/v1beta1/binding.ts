import type { OmitZero } from "../../vocabulary.ts";

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

export interface Subject {
  kind: string;
  apiGroup?: string & OmitZero;
  name: string;
  namespace?: string & OmitZero;
}

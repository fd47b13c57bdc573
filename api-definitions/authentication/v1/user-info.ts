import type { ListAtomic, Message, OmitZero } from "../../vocabulary.ts";

export interface UserInfo {
  username?: string & OmitZero;
  uid?: string & OmitZero;
  groups?: ListAtomic<string>;
  extra?: Record<string, ExtraValue>;
}

export type ExtraValue = Message<string[]>;

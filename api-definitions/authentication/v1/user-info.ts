import type { ListAtomic, Message, OmitZero } from "../../vocabulary.ts";

/** Who somebody is. */
export interface UserInfo {
  /** Name of the user. */
  username?: string & OmitZero;
  /** Id of the user. */
  uid?: string & OmitZero;
  /** Groups the user is in. */
  groups?: ListAtomic<string>;
  /** Further facts. */
  extra?: Record<string, ExtraValue>;
}

export type ExtraValue = Message<string[]>;

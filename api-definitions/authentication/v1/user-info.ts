import type { ListAtomic, Message, OmitZero } from "../../vocabulary.ts";

/** Identifies an authenticated user. */
export interface UserInfo {
  /**
   * Name of the user, unique among active users, such as `jane@example.com` or `system:serviceaccount:default:robot`.
   */
  username?: string & OmitZero;
  /**
   * Identifier that distinguishes the user from earlier or later users of the same name. Empty if the authenticator
   * provides none.
   */
  uid?: string & OmitZero;
  /** Names of the groups to which the user belongs, such as `system:authenticated`. */
  groups?: ListAtomic<string>;
  /**
   * Additional attributes that the authenticator provides, such as the bound pod of a service account token. Keys are
   * usually prefixed with a domain.
   */
  extra?: Record<string, ExtraValue>;
}

/** Values of one extra attribute of a user. */
export type ExtraValue = Message<string[]>;

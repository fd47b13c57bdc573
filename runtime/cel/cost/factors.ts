/** Units of Kubernetes' cost model. 1 corresponds approximately to one field selection. */
export const IDENT_COST = 1;
export const SELECT_COST = 1;
export const CALL_COST = 1;
export const LIST_CREATE_COST = 10;
export const MAP_CREATE_COST = 30;
export const STRUCT_CREATE_COST = 40;
/** Per character of a string that is read once. */
export const STRING_FACTOR = 0.1;
/** Per character of a pattern, for each unit of the string it is matched against. */
export const REGEX_FACTOR = 0.25;
/** Cost of an authorization check; the limit of one expression allows two. */
export const AUTHORIZATION_CHECK_COST = 350_000;
/** The patterns behind named formats are at most this long. */
export const MAX_FORMAT_REGEX = 128;
export const MAX_FORMAT_SIZE = 64;

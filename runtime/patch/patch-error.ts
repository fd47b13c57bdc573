/**
 * Why a patch is rejected:
 *
 *     BadPatch            it is not a valid patch of its kind (400)
 *     TooManyOperations   it has too many operations (413)
 *     PatchNotApplicable  it does not fit the object (422)
 *     PatchFailed         it contradicts itself or the schema (500, as in Kubernetes)
 */
export type PatchErrorCode = "BadPatch" | "TooManyOperations" | "PatchNotApplicable" | "PatchFailed";

/** A patch that cannot be applied. The message is that of Kubernetes. */
export class PatchError extends Error {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

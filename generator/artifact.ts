/** A file an emitter made: its path below the root of the project, with forward slashes, and its text. */
export interface Artifact {
  readonly path: string;
  readonly text: string;
}

import { isConflict } from "./api-error.ts";

const ATTEMPTS = 5;

/**
 * Calls a function that reads an object, changes it and updates it, again if the object has changed in between. Rejects with the last
 * `ConflictError` after five attempts. Conflicts of an apply are not retried: the fields belong to others then, too.
 */
export async function retryOnConflict<T>(change: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (attempt >= attempts || !isConflict(error) || error.conflicts.length > 0) throw error;
    }
  }
}

import { isServiceError } from '@svc/contract'

/** Words of a node that does not serve a query. @see https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/abci.go (handleQueryGRPC, read 2026-11-22) */
const NOT_SERVED = /unknown query path|code = Unimplemented/i

/** Tells whether the application refused a query because it does not serve it. @param log in its words */
export function notServed(log: string): boolean {
  return NOT_SERVED.test(log)
}

/** Takes what no endpoint could tell for unknown, where what is asked for besides does not depend on it. @returns null: it is not known */
export async function orUnknown<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isServiceError(error) && error.statusCode >= 502) return null
    throw error
  }
}

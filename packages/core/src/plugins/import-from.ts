import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Prefix of the question that the hook answers; no module has such an address. */
const SCHEME = 'svc-import:'

/**
 * Imports a package as a file elsewhere would: by the package's conditions for `import`, from the folders around that file. `createRequire` would use the conditions for
 * `require`, which a package of modules need not have.
 *
 * @param specifier a package's name, or an export of it
 * @param place path of the file, which need not exist
 * @throws an Error with the code ERR_MODULE_NOT_FOUND when it is not there
 */
export async function importFrom(specifier: string, place: string): Promise<unknown> {
  // The place is part of the question, since Node keeps the answer.
  const question = `${SCHEME}${encodeURIComponent(place)},${specifier}`
  const hooks = registerHooks({
    resolve: (target, context, next) =>
      target === question ? next(specifier, { ...context, parentURL: pathToFileURL(place).href }) : next(target, context),
  })
  try {
    return await import(question)
  } finally {
    hooks.deregister()
  }
}

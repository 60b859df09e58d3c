import { createRequire } from 'node:module'
import { SettingsError } from '@svc/contract'

const require = createRequire(import.meta.url)

/**
 * Loads `@node-rs/argon2`, whose native part is a package of its own for each platform and an optional dependency.
 *
 * @param load stands in for the loading of the package
 * @throws SettingsError where that part was left out, by `npm install --omit=optional` or a lockfile of another platform
 */
export function loadArgon2(load: (name: string) => unknown = require): typeof import('@node-rs/argon2') {
  try {
    return load('@node-rs/argon2') as typeof import('@node-rs/argon2')
  } catch (cause) {
    throw new SettingsError(
      `The native part of @node-rs/argon2, which hashes API keys, is not installed for ${process.platform}-${process.arch}: it is an optional dependency, so install again without --omit=optional or --no-optional, on this platform.`,
      { cause },
    )
  }
}

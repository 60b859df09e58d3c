// Stands in for `async-hook-domain`, by which tap tells whose an error is that nobody caught. That one has Node call it when any promise, timer
// or socket is made and when it is collected: a quarter of what the tests of a plugin cost. Node 24 knows the context of an error by itself.
import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import { registerHooks } from 'node:module'

const running = new AsyncLocalStorage()
const living = new Set()
/** The one of the whole run. */
let first

/** Takes errors that nobody caught, of what is run in the test for which it was made; the first one also those of no test. */
export class Domain {
  #parent = running.getStore()

  /** @param onerror called with the error, and with `uncaughtException` or `unhandledRejection` */
  constructor(onerror) {
    this.onerror = onerror
    first ??= this
    if (living.size === 0) process.on('uncaughtExceptionMonitor', hand)
    living.add(this)
    // tap makes it in the scope in which it runs the test later.
    const scope = executionAsyncResource()
    if (!('test' in scope)) return
    const run = scope.runInAsyncScope.bind(scope)
    scope.runInAsyncScope = (call, self, ...args) => run(running.run, running, this, call.bind(self), ...args)
  }

  /** What is left of its test belongs to the one around it. */
  destroy() {
    if (living.delete(this) && living.size === 0) process.removeListener('uncaughtExceptionMonitor', hand)
  }

  /** @returns itself, or the nearest around it that lives */
  get nearest() {
    return living.has(this) ? this : this.#parent?.nearest
  }
}

/** Lets be what has another handler, or nobody to take it; hands over the rest, and keeps the process from ending by it. */
function hand(error, origin) {
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
  const domain = running.getStore()?.nearest ?? first.nearest
  if (!domain) return
  domain.onerror(error, origin)
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
}

/** Puts it in place for what is imported from here on, until it is deregistered. */
export const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain' ? { url: import.meta.url, format: 'module', shortCircuit: true } : next(specifier, context),
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How long a page may take for one step on a busy machine, in milliseconds. */
const PATIENCE_MS = 120_000

/** Time in which a page tells what it shows, in milliseconds. */
const SNAPSHOT_MS = 10_000
/** Characters of a page's text that a failure tells, at most. */
const SEEN = 4000

/** The browser's own note of a status above 399, which a test gives on purpose. */
const STATUS_NOTE = /^Failed to load resource: the server responded with a status of \d+|^Failed to load resource: net::ERR_/

/**
 * Opens a page of its own, which remembers nothing of others. What goes wrong in it without a word to its reader is collected, and must be nothing at the end: faults in the
 * console, errors that nobody caught, violations of the policy, and requests to other hosts.
 */
export async function visit(
  t: Test,
  browser: Browser,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  // A document that is open when the first answer is given for the service hears of it later than the browser says: its next request may still go past. So the first comes before any document.
  await page.route('**/nothing-asks-for-this', (route) => route.abort())
  const faults: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !STATUS_NOTE.test(text)) faults.push(`console: ${text}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`),
    )
  })
  page.on('request', (request) => {
    const own = page.url() === 'about:blank' ? new URL(request.url()).origin : new URL(page.url()).origin
    if (new URL(request.url()).origin !== own) faults.push(`foreign request: ${request.url()}`)
  })
  try {
    await use(page)
    t.same(faults, [], 'the page has no fault that its reader does not see')
  } catch (error) {
    if (error instanceof Error) error.message += await seenOn(page, faults)
    throw error
  } finally {
    await context.close()
  }
}

/** Tells what a reader of the page sees where a step of a test fails, with what went wrong in the page. */
async function seenOn(page: Page, faults: readonly string[]): Promise<string> {
  const text = await page
    .locator('main, [role=dialog]')
    .last()
    .ariaSnapshot({ timeout: SNAPSHOT_MS })
    .catch((error: unknown) => `nothing: ${String(error)}`)
  return [`\nThe page at ${page.url()} says:`, text.slice(0, SEEN), ...faults].join('\n')
}

/** What the API is to answer at a path below `/api/v1/`, instead of the service: a body, or a refusal with its status and headers. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Milliseconds before it is given. */
  readonly after?: number
  /** No answer at all. */
  readonly unreachable?: boolean
}

/** Answers calls of a path instead of the service, from now on; the last given to a path counts. `path` is a glob: `session`, `audit?*`. */
export async function answer(
  page: Page,
  path: string,
  given: Answer | ((url: URL, authorization: string | undefined) => Answer),
): Promise<void> {
  await page.unroute(`**/api/v1/${path}`)
  // Whoever is signed in by an answer is nobody to the service: what the frame asks it is answered too, unless the page's test does so itself.
  if (path === 'session') {
    await page.context().route('**/api/v1/overview?*', (route) => route.fulfill({ json: { alarms: [], refusals: [] } }))
    await page.context().route('**/api/v1/alarms*', (route) => route.fulfill({ json: { alarms: [], more: false } }))
    await page.context().route('**/api/v1/protocols?*', (route) => route.fulfill({ json: [] }))
  }
  await page.route(`**/api/v1/${path}`, async (route) => {
    const request = route.request()
    const found = typeof given === 'function' ? given(new URL(request.url()), request.headers().authorization) : given
    if (found.after !== undefined) await new Promise((done) => setTimeout(done, found.after))
    if (found.unreachable) return route.abort('connectionrefused')
    await route.fulfill({
      status: found.status ?? 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...found.headers },
      body: found.body === undefined ? '' : JSON.stringify(found.body),
    })
  })
}

/** A refusal as the service writes it. */
export function refusal(status: number, code: string, error: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'x-request-id': '01JD4Z0V9T6E6N1S2XKQ3B7W8R', ...headers },
    body: { statusCode: status, message: code, error, code },
  }
}

/** What axe finds wrong with the page as it stands; empty when nothing. Of what it looks for, contrast alone differs between the palettes. */
export async function inaccessible(page: Page): Promise<readonly string[]> {
  // Once for a document: what V8 compiled of it and learned about it is there the next time.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(
      ...(await page.evaluate(async (scheme) => {
        const { axe } = window as unknown as {
          axe: {
            run(
              node: Document,
              options: object,
            ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
          }
        }
        const { violations } = await axe.run(document, scheme === 'dark' ? { runOnly: ['color-contrast'] } : {})
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${scheme}: ${id}: ${html.slice(0, 200)} ${failureSummary}`),
        )
      }, colorScheme)),
    )
  }
  return found
}

/** Elements that reach beyond the window's right edge at the width it has, or beyond that of an open dialog; empty when nothing is cut. */
export async function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    return [document.documentElement, ...document.querySelectorAll('dialog[open]')].flatMap((around) => {
      const { clientWidth, scrollWidth } = around
      if (scrollWidth <= clientWidth) return []
      const edge = around.getBoundingClientRect().left + clientWidth + 1
      const beyond = [...around.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > edge)
      return [`${scrollWidth} px in ${clientWidth}`, ...beyond.map((each) => each.outerHTML.slice(0, 120))]
    })
  })
}

/** Signs in by the form, as a reader does. */
export async function signIn(page: Page, address: string, token: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('heading', { level: 1 }).and(page.locator(':not(form h1)')).waitFor()
  await listening(page)
}

/** As when the reader comes back to the tab: what is shown is read again. */
export async function comeBack(page: Page): Promise<void> {
  await listening(page)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

/** What was drawn a moment ago listens from the next frame on. */
async function listening(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))))
}

/** Paths of what the frame of every page asks for now and then. */
export const ALARMS: readonly string[] = ['/api/v1/overview', '/api/v1/alarms']

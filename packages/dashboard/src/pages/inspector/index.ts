import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** Page that tells what a transaction from anywhere does, read in the browser. */
export const inspectorPage: Page = {
  path: 'inspector',
  title: 'Inspector',
  icon: 'inspector',
  key: 'i',
  view: lazy(async () => {
    const [{ InspectorPage }, { openInspectorate }] = await Promise.all([
      import('./inspector-page.tsx'),
      import('../../realm/inspectorate.ts'),
    ])
    // Its intents too, so that it reads when the service is not there. What fails is loaded when it is gone to.
    await openInspectorate().catch(() => {})
    return InspectorPage
  }),
}

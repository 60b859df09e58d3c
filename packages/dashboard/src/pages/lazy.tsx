import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/form/button.tsx'
import { PageHead } from '../parts/layout/page-head.tsx'
import { Empty } from '../parts/notice/empty.tsx'
import { Loading } from '../parts/notice/loading.tsx'
import { isAnotherBuild } from '../state/build.ts'
import type { PageProps } from './page.ts'

/** Loads the code of pages that were not gone to yet. */
const loads = new Set<() => Promise<unknown>>()

/** Loads what is not there yet, one after the other, so that a page is there when the service is not. What fails is loaded when it is gone to. */
export async function preload(): Promise<void> {
  for (const load of loads) await load().catch(() => {})
}

/** Makes a page whose code comes when it is first gone to, or by `preload`. @param ahead whether `preload` loads it: not what few readers see */
export function lazy(load: () => Promise<ComponentType<PageProps>>, ahead = true): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined
  const fetched = async () => {
    loaded ??= await load()
    loads.delete(fetched)
  }
  if (ahead) loads.add(fetched)
  return function Lazy(props: PageProps) {
    const [round, setRound] = useState(0)
    const [missing, setMissing] = useState<'updated' | 'unreachable' | null>(null)
    const fetchIt = () => {
      setMissing(null)
      fetched().then(
        () => setRound((n) => n + 1),
        async () => setMissing((await isAnotherBuild()) ? 'updated' : 'unreachable'),
      )
    }
    useEffect(() => {
      if (!loaded) fetchIt()
    }, [])
    useEffect(() => {
      // As where a page is there at once: unless the reader went on meanwhile.
      if (round > 0 && document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }, [round])
    if (loaded) {
      const View = loaded
      return <View {...props} />
    }
    if (missing === null) return <Loading />
    return (
      <>
        <PageHead title="Not loaded" />
        {missing === 'updated' ? (
          <Empty title="This part of the page is not there" action={<Button onClick={() => location.reload()}>Reload</Button>}>
            The service was updated since this page was loaded.
          </Empty>
        ) : (
          <Empty title="The service cannot be reached" action={<Button onClick={fetchIt}>Try again</Button>}>
            This part of the page was not loaded yet. Nothing that you did is lost: do not reload the page, which would be gone until the
            service is back.
          </Empty>
        )}
      </>
    )
  }
}

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loading } from '../parts/loading.tsx'
import type { PageProps } from './page.ts'

/** A page whose code comes when it is first gone to. */
export function lazy(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined
  return function Lazy(props: PageProps) {
    const [round, setRound] = useState(0)
    const [missing, setMissing] = useState(false)
    useEffect(() => {
      if (loaded) return
      load().then(
        (view) => {
          loaded = view
          setRound((n) => n + 1)
        },
        () => setMissing(true),
      )
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
    if (!missing) return <Loading />
    return (
      <Empty title="This part of the page is not there" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        The service may have been updated since this page was loaded, or it cannot be reached.
      </Empty>
    )
  }
}

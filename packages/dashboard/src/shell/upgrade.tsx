import { signal } from '@preact/signals'
import { Button } from '../parts/form/button.tsx'
import { Note } from '../parts/notice/note.tsx'
import { isAnotherBuild } from '../state/build.ts'

/** True when a part of the page could not be loaded because the service was updated: only a reload helps. */
export const upgraded = signal(false)

/** Listens for parts that are not there any more. A service that cannot be reached was not updated, and a reload would lose the page. */
export function watchUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    void isAnotherBuild().then((another) => {
      if (another) upgraded.value = true
    })
  })
}

/** Says so, and reloads: the token goes with it, unless the tab keeps it. */
export function Upgraded() {
  return (
    <Note kind="warn" alert>
      <div class="with-action">
        The service was updated, and a part of this page is no longer there.
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </Note>
  )
}

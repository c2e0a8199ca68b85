// Shows Markdown text as it will look. Makes elements of React and no HTML, so a stored script stays text.

import { memo } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { start } from '../../api/start.ts'
import { followedAddress, isShownImage } from '../text-addresses.ts'

const components: Components = {
  a: ({ href, children }) => {
    const address = followedAddress(href)
    return address === null ? (
      <span>{children}</span>
    ) : (
      <a href={address} target="_blank" rel="noreferrer">
        {children}
      </a>
    )
  },
  // The policy refuses images of other servers, which are shown as links.
  img: ({ src, alt }) => {
    const address = followedAddress(src)
    if (address === null) return <span>{alt}</span>
    if (isShownImage(address, start.mediaOrigins, location.origin)) return <img src={address} alt={alt ?? ''} />
    return (
      <a href={address} target="_blank" rel="noreferrer">
        {alt || address}
      </a>
    )
  },
}

const plugins: Options['remarkPlugins'] = [remarkGfm]

/** Raw HTML is shown as the text that it is. */
export const Preview = memo(function Preview({ text }: { readonly text: string }) {
  return (
    <Markdown remarkPlugins={plugins} components={components} urlTransform={url => url}>
      {text}
    </Markdown>
  )
})

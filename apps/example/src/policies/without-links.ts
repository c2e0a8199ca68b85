// The policy `global::without-links`: refuses a mutation whose text contains a link. Nobody reads comments before they
// are published.

import type { PolicyHandler } from '@plinth/kernel'

const withoutLinks: PolicyHandler = ({ args }) => {
  const { text } = (args?.data ?? {}) as { readonly text?: unknown }
  return typeof text !== 'string' || !/https?:\/\//i.test(text)
}

export default withoutLinks

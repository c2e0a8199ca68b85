// Builders for the nodes of a `blocks` attribute, in the shape that v4's editor stores.

/** A node of rich text. */
export type Block = { type: string; [key: string]: unknown }

const text = (value: string): Block => ({ type: 'text', text: value })

/** A paragraph of plain text. */
export function paragraph(value: string): Block {
  return { type: 'paragraph', children: [text(value)] }
}

/** A heading of level 1 to 6. */
export function heading(level: number, value: string): Block {
  return { type: 'heading', level, children: [text(value)] }
}

/** A list of plain items. */
export function list(items: readonly string[]): Block {
  return {
    type: 'list',
    format: 'unordered',
    children: items.map(item => ({ type: 'list-item', children: [text(item)] })),
  }
}

/** A paragraph that ends in a link. */
export function paragraphWithLink(value: string, label: string, url: string): Block {
  return { type: 'paragraph', children: [text(`${value} `), { type: 'link', url, children: [text(label)] }, text('.')] }
}

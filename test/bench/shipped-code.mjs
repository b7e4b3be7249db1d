import { register } from 'node:module';

// The bench times what is shipped: modules of src are taken from dist, where no loader has added to them.
const hooks = `
  const src = /\\/src\\/(.*)\\.ts$/;
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const own = found.url.startsWith(ROOT) ? src.exec(found.url.slice(ROOT.length - 1)) : null;
    return own === null ? found : next(ROOT + 'dist/' + own[1] + '.js', context);
  }
`;
const root = new URL('../../', import.meta.url).href;
register(`data:text/javascript,${encodeURIComponent(hooks.replaceAll('ROOT', JSON.stringify(root)))}`);

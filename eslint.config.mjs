import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

export default ts.config(
  {
    ignores: [
      "build/",
      ".data/",
      "reports/",
      "app/platform/prisma/",
      "app/shopify/types/",
      "node_modules/",
      "extensions/parasol-storefront/assets/",
      "extensions/**/dist/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-assertions": [
        "error",
        { assertionStyle: "as", objectLiteralTypeAssertions: "never" },
      ],
      // Numbers and booleans read well in a template; everything else must be turned into text on purpose.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // Remix signals redirects and HTTP answers by throwing a Response.
      "@typescript-eslint/only-throw-error": ["error", { allow: [{ from: "lib", name: "Response" }] }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    ignores: ["test/sandbox/listen.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "@hono/node-server",
          message: "It replaces Request and Response for the whole process: test/sandbox/listen.ts does not.",
        },
      ],
    },
  },
  {
    files: ["app/**/*.tsx"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    files: ["extensions/**/*.js", "test/sandbox/**/*.js"],
    languageOptions: {
      globals: {
        window: "readonly",
        document: "readonly",
        customElements: "readonly",
        HTMLElement: "readonly",
        fetch: "readonly",
        URL: "readonly",
        location: "readonly",
        console: "readonly",
        AbortController: "readonly",
        FormData: "readonly",
        CustomEvent: "readonly",
        Event: "readonly",
        sessionStorage: "readonly",
        localStorage: "readonly",
        MutationObserver: "readonly",
        IntersectionObserver: "readonly",
        Intl: "readonly",
        DOMParser: "readonly",
        crypto: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        requestAnimationFrame: "readonly",
        queueMicrotask: "readonly",
        Element: "readonly",
        Node: "readonly",
        history: "readonly",
        // Global functions of the Dawn-like theme: pubsub.js
        publish: "readonly",
        subscribe: "readonly",
        sectionHtml: "readonly",
        PUB_SUB_EVENTS: "readonly",
      },
    },
  },
);

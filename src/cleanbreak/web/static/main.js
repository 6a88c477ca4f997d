const formats = await (await fetch("/api/v1/formats")).json();
document.getElementById("main").textContent = `cleanbreak ${formats.version}`;
